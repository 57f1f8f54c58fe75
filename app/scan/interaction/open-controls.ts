import { settle } from "~/scan/page/settle";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Tab } from "~/scan/page/tab";
import { awaitAnimations } from "./await-animations";
import type { CutConnection } from "./cut-connection";
import { defineFormFields } from "./form-fields";
import { goAround } from "./go-around";
import { ITEMS_OF_ROLE } from "./keys/items-of-role";
import { forgetOpener, noteOpenedWidgets } from "./keys/opened-widgets";
import { hasOpenedForm, noteOpenedForms } from "./opened-forms";
import {
  forgetOpening,
  isClosed,
  isGoneWithFocus,
  focusVisited,
  mayTellFailure,
  noteAppeared,
  noteClosed,
  noteGone,
  noteLeft,
  type Appeared,
  type ClosedBy,
  type Opener,
} from "./opening-log";
import { pressKey, type Key } from "./press-key";
import { placeOfFocus, isFocusInside, noteReturn } from "./opening/return-of-focus";
import { beginOuter, endOuter, findInside, focusCloser, focusControl, keepOuter, noteAgain, pointOf, pointOfCloser, readyControl, returnToOuter, scrollToControl, type ReadyControl } from "./ready-control";

/** Time for a script to react, and for the opened content to come to rest. */
const REACTED_WITHIN_MS = 60;
const OPENED_WITHIN_MS = 800;
const FOCUSED_WITHIN_MS = 500;
/** Maximum number of visited stops of a modal dialog. */
const MOST_STOPS = 20;
/** Maximum number of controls inside of opened content. */
const MOST_INSIDE = 2;
/** Maximum number of buttons in a modal dialog that may close it. */
const MOST_CLOSERS = 3;
/** Maximum number of widgets in all opened contents whose keys are tried later. */
const MOST_WIDGETS = 4;
const KEYS_TO_OPEN = ["Enter", "Space", "ArrowDown"] as const;
/** Share of the time in which controls inside of opened content may be started. */
const SHARE_BEFORE_INSIDE = 0.7;
/** Separator between the name of a control and the name of a control inside. */
const THEN = " → ";

export interface OpenOptions {
  /** Number of controls for a pointer alone, the last of those that were found in the page (`findOpeners`). */
  bare: number;
  /** The page is an inner frame: points of the window are not those of its document, so that only keys are pressed. */
  isFrame?: boolean;
  /** Called before the control at this index is used, which is the first of the unused ones. */
  begin: (index: number, unused: Unused) => void;
  /**
   * Judges the opened content of a control, while it is open.
   * @param name of the control, "" for none; after the name of the outer control, which has to be opened first
   */
  judge: (name: string) => Promise<void>;
  /** The page has come to rest, and the pointer is in its corner. */
  isAtRest: boolean;
  /** Time in ms, after which no further control is used. */
  budgetMs: number;
  /** Ends it at once. */
  signal: AbortSignal;
}

export interface Unused {
  /** Number of controls that were skipped, or could not be used. */
  count: number;
  /** Some of them were visible at first, and have markup for keys. */
  includesInitial: boolean;
}

interface Opened extends Appeared {
  by: Opener;
}

interface Point {
  x: number;
  y: number;
}

/**
 * Uses the controls of a page that may open something: menus, dialogs, parts of the page; by keyboard, else by pointer. Then it uses
 * the controls inside of the opened content, for which it opens the outer control again. It keeps its observations in the page's world
 * (`Opening`), and closes all opened content. The page must be cut off from the network.
 * @param count of the controls that were found in the page (`findOpeners`)
 */
export async function openControls(tab: Tab, world: IsolatedWorld, connection: CutConnection, count: number, { bare, isFrame = false, begin, judge, isAtRest: wasAtRest, budgetMs, signal }: OpenOptions): Promise<Unused> {
  const { session } = world;
  const begun = performance.now();
  const end = begun + budgetMs;
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  /** Number of controls, with those inside of opened content; number of those inside beyond the limit. */
  let all = count;
  let beyond = 0;
  /** Indexes of controls that cannot be used, such as those behind a dialog, or those that are gone. */
  const outOfReach = new Set<number>();
  /** Names of the used controls, by index. */
  const names = new Map<number, string>();
  /** Nothing was done since the page came to rest. */
  let isAtRest = wasAtRest;
  let isPointerInCorner = wasAtRest;
  for (let index = 0; index < all; index += 1) {
    signal.throwIfAborted();
    // Inner controls take twice the time: the outer control is opened again first.
    const isOver = performance.now() > (index < count ? end : begun + budgetMs * SHARE_BEFORE_INSIDE);
    if (isOver) return unusedFrom(index);
    begin(index, unusedFrom(index));
    const isBlocked = index < count ? await tryControl(index) : await tryInside(index);
    if (isBlocked) return unusedFrom(index + 1);
  }
  return unusedFrom(all);

  function unusedFrom(index: number): Unused {
    return { count: all - index + beyond + outOfReach.size, includesInitial: index < count - bare || [...outOfReach].some((each) => each < count - bare) };
  }

  /**
   * @param around name of the open control around this one
   * @returns whether a modal dialog stays open: nothing behind it can be used
   */
  async function tryControl(index: number, around?: string): Promise<boolean> {
    const control = await ready(index);
    if (control === "gone") outOfReach.add(index);
    if (typeof control === "string") return false;
    names.set(index, control.name);
    const requests = connection.requests();
    const opened = await open(index, control);
    if (!opened) return false;
    // Content after a request may be its error message: the connection is cut.
    if (connection.requests() === requests || !(await world.call(mayTellFailure))) {
      await judgeInTime(around === undefined ? control.name : around + THEN + control.name);
      if (around === undefined) await lookInside(index);
      if (!isFrame) await keepForLaterTrials(index, control.name, around === undefined ? opened.by : undefined);
    } else {
      await world.call(forgetOpening, index);
    }
    if (opened.isModal) await walkInside(index);
    const closedBy = await close(index, opened);
    if (control.isBare && opened.by === "pointer" && closedBy !== undefined) await clickAgain(index, opened);
    // Opened once more, it would stay in front of everything else.
    if (closedBy === undefined || closedBy === "button") await world.call(forgetOpener, index);
    return closedBy === undefined && opened.isModal;
  }

  async function judgeInTime(name: string): Promise<void> {
    // Pictures scroll the page.
    isAtRest = false;
    await judge(name);
    signal.throwIfAborted();
  }

  async function ready(index: number): Promise<ReadyControl | "open" | "gone"> {
    if (!isPointerInCorner) await pointAway();
    if (await world.call(scrollToControl, index)) isAtRest = false;
    if (!isAtRest) await rest();
    const control = await world.call(readyControl, index);
    connection.takeLeaving();
    return control;
  }

  async function lookInside(index: number): Promise<void> {
    const inside = await world.call(findInside, index, MOST_INSIDE);
    all += inside.kept;
    beyond += inside.all - inside.kept;
  }

  /** Keeps the widgets and forms in the opened content; one control alone is opened again for them. */
  async function keepForLaterTrials(index: number, name: string, by: Opener | undefined): Promise<void> {
    const key = KEYS_TO_OPEN.find((each) => each === by);
    await world.call(noteOpenedWidgets, index, name, key, MOST_WIDGETS, ITEMS_OF_ROLE);
    if (!(await world.call(hasOpenedForm))) return;
    await world.call(defineFormFields);
    await world.call(noteOpenedForms, index, name, key);
  }

  async function tryInside(index: number): Promise<boolean> {
    const outer = await world.call(beginOuter, index);
    const control = await ready(outer);
    const opened = typeof control === "string" ? undefined : await open(outer, control);
    let isBlocked = false;
    if (control === "open") {
      isBlocked = await tryControl(index, names.get(outer) ?? "");
    } else if (control === "gone" || !opened) {
      outOfReach.delete(outer);
      outOfReach.add(index);
    } else {
      await world.call(keepOuter);
      isBlocked = await tryControl(index, control.name);
      await world.call(returnToOuter);
      if (!isAtRest) await rest();
      const isOpen = !(await world.call(isClosed)) && (await close(outer, opened)) === undefined;
      isBlocked ||= isOpen && opened.isModal;
    }
    await world.call(endOuter, outer);
    return isBlocked;
  }

  /** @returns opened content; undefined if nothing appeared, or if the control leads away */
  async function open(index: number, { name, promises, hasPopup, isBare }: ReadyControl): Promise<Opened | undefined> {
    const requests = connection.requests();
    const hasFocus = await focusOn(index);
    const byFocus = await look(index, "focus");
    if (byFocus && !promises) return byFocus;
    if (byFocus) {
      // The content may be a tooltip: the control promises more.
      if (connection.requests() === requests || !(await world.call(mayTellFailure))) await judgeInTime(name);
      await world.call(readyControl, index);
      await focusOn(index);
    }
    const keys: Key[] = hasFocus ? ["Enter", ...(promises ? (["Space"] as const) : []), ...(hasPopup ? (["ArrowDown"] as const) : [])] : [];
    let leaves = false;
    for (const key of keys) {
      await press(key);
      const byKey = await look(index, key as Opener);
      if (connection.takeLeaving() !== undefined) {
        // A key in a field may send its form, although another key opens a list.
        leaves = true;
        if (!hasPopup) break;
        await world.call(readyControl, index);
        await focusOn(index);
        continue;
      }
      const atRest = byKey?.isModal ? await lookLater(index, byKey) : byKey;
      if ((await followFocus(index, name, requests)) || atRest) return atRest;
    }
    if (leaves) return forget(index);
    const point = (promises || isBare) && !isFrame ? await world.call(pointOf, index) : undefined;
    if (promises && !point && (isFrame || !hasFocus)) outOfReach.add(index);
    if (!point) return undefined;
    await pointAt(point);
    const byHover = await look(index, "hover");
    if (byHover) return byHover;
    await click(point);
    const byPointer = await look(index, "pointer");
    if (connection.takeLeaving() !== undefined) return forget(index);
    return byPointer && ((hasFocus && (await openAgainByKey(index, point))) || byPointer);
  }

  /** Follows the focus after a key that may have removed its own control. @returns whether the control is gone */
  async function followFocus(index: number, name: string, requests: number): Promise<boolean> {
    let place = await world.call(isGoneWithFocus, index);
    if (place === "there") return false;
    // Scripts often move the focus only after animations have ended.
    if (place === "lost") await world.call(awaitAnimations, FOCUSED_WITHIN_MS, OPENED_WITHIN_MS);
    place = await world.call(isGoneWithFocus, index);
    if (place === "lost") await press("Tab");
    // The missing answer of a request may have been meant to get the focus.
    if (connection.requests() === requests) await world.call(noteGone, index, name, place === "lost");
    return true;
  }

  /** Second try by keyboard, because the first key may have been too early. Afterwards the control is open, unless it could not be closed before. */
  async function openAgainByKey(index: number, point: Point): Promise<Opened | undefined> {
    await click(point);
    await rest();
    if (!(await world.call(isClosed))) return undefined;
    for (const key of ["Enter", "Space"] as const) {
      if (!(await focusOn(index))) break;
      await press(key);
      const byKey = await look(index, key);
      if (byKey) return byKey;
    }
    await click(point);
    return look(index, "pointer");
  }

  async function click(point: Point): Promise<void> {
    [isAtRest, isPointerInCorner] = [false, false];
    for (const type of ["mousePressed", "mouseReleased"] as const) await session.send("Input.dispatchMouseEvent", { type, ...point, button: "left", clickCount: 1 });
  }

  async function forget(index: number): Promise<undefined> {
    await world.call(forgetOpening, index);
  }

  /** Many dialogs move the focus only when they have come to rest. */
  async function lookLater(index: number, opened: Opened): Promise<Opened> {
    await world.call(awaitAnimations, FOCUSED_WITHIN_MS, OPENED_WITHIN_MS);
    return (await look(index, opened.by)) ?? opened;
  }

  async function look(index: number, by: Opener): Promise<Opened | undefined> {
    await rest();
    const appeared = await world.call(noteAppeared, index, by);
    return appeared.elements > 0 ? { ...appeared, by } : undefined;
  }

  async function rest(): Promise<void> {
    signal.throwIfAborted();
    await world.call(awaitAnimations, REACTED_WITHIN_MS, OPENED_WITHIN_MS);
    await settle(tab, world, OPENED_WITHIN_MS);
    signal.throwIfAborted();
    isAtRest = true;
  }

  /** Tests whether the focus stays in a modal dialog, also backward over its start. */
  async function walkInside(index: number): Promise<void> {
    for (const key of ["Tab", "Shift+Tab"] as const) {
      let isFirst = true;
      const place = await goAround(async () => {
        signal.throwIfAborted();
        await press(key);
        const now = await world.call(noteLeft, index, key, isFirst);
        isFirst = false;
        return now;
      }, MOST_STOPS);
      // What is around a frame stays in use: the focus may leave it.
      if (isFrame && place !== "behind") await world.call(focusVisited);
      if (place === "behind") return;
    }
  }

  /** @returns what has closed all of it; undefined if it stays open */
  async function close(index: number, { isModal, by }: Opened): Promise<ClosedBy | undefined> {
    const isByKey = by === "Enter" || by === "Space" || by === "ArrowDown";
    const isInside = isByKey && (await world.call(isFocusInside, index));
    for (const way of isModal || isInside ? (["Escape", "again"] as const) : (["again", "Escape"] as const)) {
      const returns = isInside && way === "Escape";
      if (way === "Escape") await press("Escape");
      else await activateAgain(index, by);
      // The focus may leave the content later than that closes.
      if (isModal || isInside || !(await world.call(isClosed))) await rest();
      if (!(await world.call(isClosed))) continue;
      // An arrow key opened the content, and Escape closed it.
      return noteEnd(index, { isModal, returns }, by === "ArrowDown" ? "Escape" : way);
    }
    for (let tried = 0; isModal && tried < MOST_CLOSERS; tried += 1) {
      const closer = await world.call(focusCloser, index, tried === 0);
      if (!closer) break;
      await press("Enter");
      await rest();
      // An answer may move the focus on to what follows from it.
      if (await world.call(isClosed)) return noteEnd(index, { isModal, returns: isByKey && closer === "closes" }, "button");
    }
    // What a key cannot close would stay in front of the page.
    return by === "pointer" && (await clickCloser()) ? "button" : undefined;
  }

  async function clickCloser(): Promise<boolean> {
    const point = await world.call(pointOfCloser);
    if (!point) return false;
    await click(point);
    await rest();
    return world.call(isClosed);
  }

  /** Shows the content of a bare control once more, so that it cannot have come by itself, and closes it. */
  async function clickAgain(index: number, { by }: Opened): Promise<void> {
    const point = await world.call(pointOf, index);
    if (!point) return;
    await click(point);
    await rest();
    if (!(await world.call(noteAgain, index))) return;
    await activateAgain(index, by);
    await rest();
    if (await world.call(isClosed)) return;
    await press("Escape");
    await rest();
    if (!(await world.call(isClosed))) await clickCloser();
  }

  /** @param returns a key in the content has closed it, so the focus should be where it was before */
  async function noteEnd(index: number, { isModal, returns }: { isModal: boolean; returns: boolean }, way: ClosedBy): Promise<ClosedBy> {
    await world.call(noteClosed, index, way);
    if (!isModal && !returns) return way;
    const isExpected = (focus: "back" | "lost" | "away") => focus === "back" || (focus === "away" && !returns);
    // Scripts often move the focus only after animations have ended.
    if (!isExpected(await world.call(placeOfFocus, index))) await world.call(awaitAnimations, FOCUSED_WITHIN_MS, OPENED_WITHIN_MS);
    const place = await world.call(placeOfFocus, index);
    if (place === "lost") await press("Tab");
    if (place === "lost" || returns) await world.call(noteReturn, index, place === "lost");
    return way;
  }

  async function activateAgain(index: number, by: Opener): Promise<void> {
    if (by === "Enter" || by === "Space" || by === "ArrowDown") {
      await focusOn(index);
      await press(by === "ArrowDown" ? "Escape" : by);
      return;
    }
    const point = by === "pointer" ? await world.call(pointOf, index) : undefined;
    await pointAway();
    if (point) await click(point);
  }

  async function focusOn(index: number): Promise<boolean> {
    isAtRest = false;
    return world.call(focusControl, index);
  }

  async function press(key: Key): Promise<void> {
    isAtRest = false;
    await pressKey(session, key);
  }

  async function pointAt(point: Point): Promise<void> {
    [isAtRest, isPointerInCorner] = [false, false];
    await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
  }

  async function pointAway(): Promise<void> {
    await pointAt({ x: 0, y: 0 });
    isPointerInCorner = true;
  }
}
