import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Tab } from "~/scan/page/tab";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { defineFormFields } from "~/scan/interaction/form-fields";
import { ITEMS_OF_ROLE } from "~/scan/interaction/keys/items-of-role";
import { forgetOpener, noteOpenedWidgets } from "~/scan/interaction/keys/opened-widgets";
import { hasOpenedForm, noteOpenedForms } from "~/scan/interaction/opened-forms";
import { clickAgain, closeControl, walkInside } from "./close-control";
import { openControl, type UsedPage } from "./open-control";
import { forgetOpening, isClosed, mayTellFailure, type Opener } from "./opening-log";
import { openPageInput } from "./page-input";
import { beginOuter, endOuter, findInside, keepOuter, readyControl, returnToOuter, scrollToControl, type ReadyControl } from "./ready-control";

/** Maximum number of controls inside of opened content. */
const MOST_INSIDE = 2;
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

/**
 * Uses the controls of a page that may open something: menus, dialogs, parts of the page; by keyboard, else by pointer. Then it uses
 * the controls inside of the opened content, for which it opens the outer control again. It keeps its observations in the page's world
 * (`Opening`), and closes all opened content. The page must be cut off from the network.
 * @param count of the controls that were found in the page (`findOpeners`)
 */
export async function openControls(tab: Tab, world: IsolatedWorld, connection: CutConnection, count: number, { bare, isFrame = false, begin, judge, isAtRest, budgetMs, signal }: OpenOptions): Promise<Unused> {
  const input = openPageInput(tab, world, isAtRest, signal);
  const page: UsedPage = { world, connection, input, isFrame, signal };
  const begun = performance.now();
  const end = begun + budgetMs;
  await world.session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  /** Number of controls, with those inside of opened content; number of those inside beyond the limit. */
  let all = count;
  let beyond = 0;
  /** Indexes of controls that cannot be used, such as those behind a dialog, or those that are gone. */
  const outOfReach = new Set<number>();
  /** Names of the used controls, by index. */
  const names = new Map<number, string>();
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
    const opened = await openControl(page, index, control, judgeInTime);
    if (opened === "out of reach") outOfReach.add(index);
    if (typeof opened === "string") return false;
    // Content after a request may be its error message: the connection is cut.
    if (connection.requests() === requests || !(await world.call(mayTellFailure))) {
      await judgeInTime(around === undefined ? control.name : around + THEN + control.name);
      if (around === undefined) await lookInside(index);
      if (!isFrame) await keepForLaterTrials(index, control.name, around === undefined ? opened.by : undefined);
    } else {
      await world.call(forgetOpening, index);
    }
    if (opened.isModal) await walkInside(page, index);
    const closedBy = await closeControl(page, index, opened);
    if (control.isBare && opened.by === "pointer" && closedBy !== undefined) await clickAgain(page, index, opened);
    // Opened once more, it would stay in front of everything else.
    if (closedBy === undefined || closedBy === "button") await world.call(forgetOpener, index);
    return closedBy === undefined && opened.isModal;
  }

  async function judgeInTime(name: string): Promise<void> {
    // Pictures scroll the page.
    input.noteUse();
    await judge(name);
    signal.throwIfAborted();
  }

  async function ready(index: number): Promise<ReadyControl | "open" | "gone"> {
    if (!input.isAway()) await input.pointAway();
    if (await world.call(scrollToControl, index)) input.noteUse();
    await input.restIfUsed();
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
    const opened = typeof control === "string" ? "nothing" : await openControl(page, outer, control, judgeInTime);
    let isBlocked = false;
    if (control === "open") {
      isBlocked = await tryControl(index, names.get(outer) ?? "");
    } else if (control === "gone" || typeof opened === "string") {
      outOfReach.delete(outer);
      outOfReach.add(index);
    } else {
      await world.call(keepOuter);
      isBlocked = await tryControl(index, control.name);
      await world.call(returnToOuter);
      await input.restIfUsed();
      const isOpen = !(await world.call(isClosed)) && (await closeControl(page, outer, opened)) === undefined;
      isBlocked ||= isOpen && opened.isModal;
    }
    await world.call(endOuter, outer);
    return isBlocked;
  }
}
