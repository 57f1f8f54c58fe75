import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { settle } from "~/scan/page/settle";
import type { Tab } from "~/scan/page/tab";
import { awaitAnimations } from "./await-animations";
import type { CutConnection } from "./cut-connection";
import { beginWalk, noteFocus } from "./focus-log";
import { goAround } from "./go-around";
import { pressKey, type Key } from "./press-key";
import { focusAtDialog, focusFirstInDialog, isDialogClosed, nextCloser, noteAtDialog, noteDialogClosed, prepareClosing, type DialogFocus, type FoundDialog, type StartDialog } from "./start-dialog-log";

/** Maximum number of Tab keys until the focus is in the dialog. */
const MOST_TABS_TO_DIALOG = 3;
/** Maximum number of Tab keys in the dialog. */
const MOST_TABS_INSIDE = 30;
/** Maximum number of buttons that are pressed to close a dialog, and of those that are clicked. */
const MOST_CLOSERS = 3;
const MOST_CLICKED = 1;
/** Time for a script to react, and for the page to come to rest. */
const REACTED_WITHIN_MS = 60;
const RESTED_WITHIN_MS = 800;
/** Time after which a dialog that is still open stays open: some wait before they fade out. */
const FADED_WITHIN_MS = 500;

/**
 * Walks by keyboard through a dialog that was open when the page arrived: into it, around in it, and back over its start. It keeps its
 * observations in the page's world (`StartDialog`, `Stop`).
 * @param isFirst no other dialog was closed before it, so that the way of the focus into it counts
 * @param signal ends it
 * @returns `isWhole`: it went around, or left the dialog, which may have more stops else; `isHeld`: no key leads out
 */
export async function walkStartDialog(world: IsolatedWorld, connection: CutConnection, { kind }: FoundDialog, isFirst: boolean, signal: AbortSignal): Promise<{ isWhole: boolean; isHeld: boolean }> {
  const { session } = world;
  // Without this, a tab in the background has no focus.
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  await world.call(beginWalk);
  let focus = await world.call(focusAtDialog);
  const isThere = isInside(focus);
  let behind = 0;
  for (let tabs = 0; isFirst && !isInside(focus) && tabs < MOST_TABS_TO_DIALOG; tabs += 1) {
    focus = await look("Tab");
    if (focus !== "behind") continue;
    behind += 1;
    await world.call(noteAtDialog, { leaves: "arrival" });
  }
  const arrival = isInside(focus) ? (isThere || behind === 0 ? "inside" : "late") : behind > 0 ? "behind" : "nothing";
  if (isFirst) await world.call(noteAtDialog, { focus: arrival });
  const isNative = kind === "native";
  if (!isInside(focus) && !(await world.call(focusFirstInDialog))) return { isWhole: true, isHeld: isNative };

  await look(undefined, true);
  const there = await goAround(() => look("Tab"), MOST_TABS_INSIDE);
  if (there === "behind") await world.call(noteAtDialog, { leaves: "Tab" });
  const isWhole = there === "again" || there === "behind" || there === "nothing";
  // The browser keeps the focus in its own dialogs.
  const back = there === "behind" || isNative ? there : await goBack();
  if (there !== "behind" && back === "behind") await world.call(noteAtDialog, { leaves: "Shift+Tab" });
  const isHeld = isNative || (isInside(there) && isInside(back));
  if (isHeld) await world.call(noteAtDialog, { isHeld });
  return { isWhole, isHeld };

  async function goBack(): Promise<DialogFocus> {
    let forgets = true;
    return goAround(async () => {
      const at = await look("Shift+Tab", forgets);
      forgets = false;
      return at;
    }, MOST_TABS_INSIDE);
  }

  /** Keeps an element in the dialog as a stop. @param forgets whether the stops before count as visited */
  async function look(key: Key | undefined, forgets = false): Promise<DialogFocus> {
    signal.throwIfAborted();
    if (key) await pressKey(session, key);
    const at = await world.call(focusAtDialog, forgets);
    if (at === "inside") await world.call(noteFocus);
    connection.takeLeaving();
    return at;
  }
}

const isInside = (focus: DialogFocus): boolean => focus === "inside" || focus === "again" || focus === "same" || focus === "frame";

/**
 * Closes a dialog that was open when the page arrived: by Escape, by a button whose words say that it closes or refuses, else by one that
 * accepts; at last by a click on a button that no key reaches.
 * @param signal ends it
 * @returns what has closed it, and whether closing it shows further content; undefined if it stays open
 */
export async function closeStartDialog(tab: Tab, world: IsolatedWorld, connection: CutConnection, signal: AbortSignal): Promise<{ closedBy: NonNullable<StartDialog["closedBy"]>; hasAppeared: boolean } | undefined> {
  const { session } = world;
  const hasFrame = await world.call(prepareClosing);
  const requests = connection.missed();
  connection.takeLeaving();
  let leaves = false;

  if (await world.call(isDialogClosed)) return noteEnd("itself");
  await pressKey(session, "Escape");
  if (await isClosed()) return noteEnd("Escape");
  for (let tried = 0; tried < MOST_CLOSERS && (await world.call(nextCloser, "keyboard")); tried += 1) {
    await pressKey(session, "Enter");
    if (await isClosed()) return noteEnd("button");
  }
  for (let tried = 0; tried < MOST_CLICKED; tried += 1) {
    const point = await world.call(nextCloser, "pointer");
    if (!point) break;
    for (const type of ["mousePressed", "mouseReleased"] as const) await session.send("Input.dispatchMouseEvent", { type, ...point, button: "left", clickCount: 1 });
    if (await isClosed()) return noteEnd("pointer");
  }
  // A button may need an answer of the server, or load the page again.
  if (hasFrame || leaves || connection.missed() > requests) await world.call(noteAtDialog, { isUnknown: true });
  return undefined;

  async function isClosed(): Promise<boolean> {
    await rest();
    leaves ||= connection.takeLeaving() !== undefined;
    if (await world.call(isDialogClosed)) return true;
    await pause(FADED_WITHIN_MS);
    signal.throwIfAborted();
    return world.call(isDialogClosed);
  }

  async function noteEnd(closedBy: NonNullable<StartDialog["closedBy"]>) {
    return { closedBy, hasAppeared: await world.call(noteDialogClosed, closedBy) };
  }

  async function rest(): Promise<void> {
    signal.throwIfAborted();
    await world.call(awaitAnimations, REACTED_WITHIN_MS, RESTED_WITHIN_MS);
    await settle(tab, world, RESTED_WITHIN_MS);
    signal.throwIfAborted();
  }
}
