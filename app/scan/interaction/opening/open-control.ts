import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { awaitAnimations } from "~/scan/interaction/await-animations";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import type { Key } from "~/scan/interaction/press-key";
import { forgetOpening, isClosed, isGoneWithFocus, mayTellFailure, noteAppeared, noteGone, type Appeared, type Opener } from "./opening-log";
import type { PageInput, Point } from "./page-input";
import { pointOf, readyControl, type ReadyControl } from "./ready-control";

/** Time for scripts to move the focus, and the longest animation that they wait for. */
export const FOCUSED_WITHIN_MS = 500;
export const OPENED_WITHIN_MS = 800;

/** A page whose controls are used. */
export interface UsedPage {
  world: IsolatedWorld;
  connection: CutConnection;
  input: PageInput;
  /** The page is an inner frame: points of the window are not those of its document, so that only keys are pressed. */
  isFrame: boolean;
  /** Ends the use at once. */
  signal: AbortSignal;
}

export interface Opened extends Appeared {
  by: Opener;
}

/**
 * Opens the content of a control: by its focus, by a key, else by the pointer.
 * @param judgeHint judges content that only the focus brings up, while the control promises more
 * @returns opened content; "nothing" also if the control leads away; "out of reach" if it could not be used at all
 */
export async function openControl(page: UsedPage, index: number, { name, promises, hasPopup, isBare }: ReadyControl, judgeHint: (name: string) => Promise<void>): Promise<Opened | "nothing" | "out of reach"> {
  const { world, connection, input, isFrame } = page;
  const requests = connection.requests();
  const hasFocus = await input.focusOn(index);
  const byFocus = await look("focus");
  if (byFocus && !promises) return byFocus;
  if (byFocus) {
    // The content may be a tooltip.
    if (connection.requests() === requests || !(await world.call(mayTellFailure))) await judgeHint(name);
    await readyAgain();
  }
  const keys: Key[] = hasFocus ? ["Enter", ...(promises ? (["Space"] as const) : []), ...(hasPopup ? (["ArrowDown"] as const) : [])] : [];
  let leaves = false;
  for (const key of keys) {
    await input.press(key);
    const byKey = await look(key as Opener);
    if (connection.takeLeaving() !== undefined) {
      // A key in a field may send its form, although another key opens a list.
      leaves = true;
      if (!hasPopup) break;
      await readyAgain();
      continue;
    }
    const atRest = byKey?.isModal ? await lookLater(byKey) : byKey;
    if (await followFocus()) return atRest ?? "nothing";
    if (atRest) return atRest;
  }
  if (leaves) return leave();
  const point = (promises || isBare) && !isFrame ? await world.call(pointOf, index) : undefined;
  if (!point) return promises && (isFrame || !hasFocus) ? "out of reach" : "nothing";
  await input.pointAt(point);
  const byHover = await look("hover");
  if (byHover) return byHover;
  await input.click(point);
  const byPointer = await look("pointer");
  if (connection.takeLeaving() !== undefined) return leave();
  if (!byPointer) return "nothing";
  return (hasFocus && (await openAgainByKey(point))) || byPointer;

  async function readyAgain(): Promise<void> {
    await world.call(readyControl, index);
    await input.focusOn(index);
  }

  async function leave(): Promise<"nothing"> {
    await world.call(forgetOpening, index);
    return "nothing";
  }

  async function look(by: Opener): Promise<Opened | undefined> {
    await input.rest();
    const appeared = await world.call(noteAppeared, index, by);
    return appeared.elements > 0 ? { ...appeared, by } : undefined;
  }

  /** Many dialogs move the focus only when they have come to rest. */
  async function lookLater(opened: Opened): Promise<Opened> {
    await world.call(awaitAnimations, FOCUSED_WITHIN_MS, OPENED_WITHIN_MS);
    return (await look(opened.by)) ?? opened;
  }

  /** Follows the focus after a key that may have removed its own control. @returns whether the control is gone */
  async function followFocus(): Promise<boolean> {
    let place = await world.call(isGoneWithFocus, index);
    if (place === "there") return false;
    // Scripts often move the focus only after animations have ended.
    if (place === "lost") await world.call(awaitAnimations, FOCUSED_WITHIN_MS, OPENED_WITHIN_MS);
    place = await world.call(isGoneWithFocus, index);
    if (place === "lost") await input.press("Tab");
    // The missing answer of a request may have been meant to get the focus.
    if (connection.requests() === requests) await world.call(noteGone, index, name, place === "lost");
    return true;
  }

  /** Second try by keyboard, because the first key may have been too early. Afterwards the control is open, unless it could not be closed before. */
  async function openAgainByKey(point: Point): Promise<Opened | undefined> {
    await input.click(point);
    await input.rest();
    if (!(await world.call(isClosed))) return undefined;
    for (const key of ["Enter", "Space"] as const) {
      if (!(await input.focusOn(index))) break;
      await input.press(key);
      const byKey = await look(key);
      if (byKey) return byKey;
    }
    await input.click(point);
    return look("pointer");
  }
}
