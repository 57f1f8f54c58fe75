import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CutConnection } from "./cut-connection";
import { pressKey, type Key } from "./press-key";
import { beginWalk, dropFocus, hasBarAtTop, noteFocus, noteLeaving, noteTrap, noteUncovered, restartWalk, type FocusPlace } from "./focus-log";

/** Maximum number of keys of a walk. */
const MOST_KEYS = 1_000;
/** Maximum number of inner frames whose elements are examined. */
const MOST_FRAMES = 8;
/** Maximum number of keys until the focus leaves a frame, or the parts of a player, which are not examined. */
const MOST_KEYS_INSIDE = 100;
/** Maximum size of a circle that is tested for a keyboard trap. */
const LARGEST_TRAP = 20;
const NOTHING_IN_A_ROW = 5;
/** Maximum number of keys of the way back. */
const MOST_KEYS_BACK = 500;
/** Wait for the end of smooth scrolling, which may cover the focus for a moment. */
const SCROLLED_WITHIN_MS = 300;

interface WalkedPage {
  /** The walk reached the end; false if a dialog or a frame kept the focus, or if the page was too large. */
  isWhole: boolean;
  /** Worlds of the inner frames that had the focus. */
  frames: Set<IsolatedWorld>;
  /** Elements in such a frame had it. */
  hasStopsInFrames: boolean;
  /** The focus was also in an inner frame that cannot be examined. */
  hasUnseenFrames: boolean;
}

/** Place of the focus in the page, or in an inner frame. */
interface Place extends FocusPlace {
  world: IsolatedWorld;
}

/**
 * Walks through a page with the Tab key, from its start until the focus leaves the document, and keeps in its world, and in those of its
 * inner frames, observations about each element (`Stop`). The page must be cut off from the network.
 * @param signal ends the walk
 * @param options.isUsed keys were pressed before, so that the next one may lead anywhere: only what follows the start of the page counts
 * @param options.frames worlds of inner frames in the page's own process
 */
export async function walkByKeyboard(world: IsolatedWorld, connection: CutConnection, signal: AbortSignal, { isUsed = false, frames = [] as IsolatedWorld[] } = {}): Promise<WalkedPage> {
  const { session } = world;
  // Without this, a tab in the background has no focus.
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  let isFromStart = !(await world.call(beginWalk)).hasFocus && !isUsed;
  const begun = await Promise.all(frames.slice(0, MOST_FRAMES).map(async (frame) => ((await frame.call(beginWalk).catch(() => undefined))?.isReadable ? [frame] : [])));
  const readable = begun.flat();
  const walked: WalkedPage = { isWhole: false, frames: new Set(), hasStopsInFrames: false, hasUnseenFrames: false };
  let last = world;
  const seen = new Set<string>();
  const path: Place[] = [];
  const keyOf = (place: Place) => `${readable.indexOf(place.world)} ${place.index}`;
  let inside = 0;
  let nothing = 0;

  for (let keys = 0; keys < MOST_KEYS && !signal.aborted; keys += 1) {
    const focus = await step("Tab");
    nothing = focus.kind === "nothing" ? nothing + 1 : 0;
    const key = keyOf(focus);
    if (focus.kind === "frame" || (focus.hasInnerStops && seen.has(key))) inside += 1;
    if (nothing > NOTHING_IN_A_ROW || inside > MOST_KEYS_INSIDE) return walked;
    if (focus.kind === "outside") {
      if (isFromStart) return { ...walked, isWhole: true };
      // The page had set the focus itself: the walk has not been at its start yet.
      isFromStart = true;
      if (isUsed) await Promise.all([world, ...readable].map((each) => unlessGone(each, each.call(restartWalk))));
      seen.clear();
      path.length = 0;
    }
    if (focus.kind !== "element" || (focus.hasInnerStops && seen.has(key))) continue;
    if (seen.has(key)) {
      const circle = path.slice(path.findIndex((each) => keyOf(each) === key));
      const indexesIn = (each: IsolatedWorld) => circle.flatMap((place) => (place.world === each ? [place.index] : []));
      if (await isTrap(circle, focus)) await Promise.all([world, ...readable].map((each) => unlessGone(each, each.call(noteTrap, indexesIn(each)))));
      return walked;
    }
    seen.add(key);
    path.push(focus);
  }
  return walked;

  /** An inner frame may go away at any time. @returns undefined if it has */
  function unlessGone<Result>(at: IsolatedWorld, answer: Promise<Result>): Promise<Result | undefined> {
    return at === world ? answer : answer.catch(() => undefined);
  }

  async function step(key: Key): Promise<Place> {
    const { focus, address } = await look(key);
    // A timer of the page may have caused the navigation by chance.
    if (address !== undefined && focus.kind === "element" && (await leavesAgain(focus))) await unlessGone(focus.world, focus.world.call(noteLeaving, focus.index, address));
    if (focus.isCovered) {
      await pause(SCROLLED_WITHIN_MS);
      const later = await unlessGone(focus.world, focus.world.call(noteFocus));
      if (later?.index !== focus.index) await unlessGone(focus.world, focus.world.call(noteUncovered, focus.index));
    }
    return focus;
  }

  async function look(key: Key): Promise<{ focus: Place; address: string | undefined }> {
    await pressKey(session, key);
    const outer = { ...(await world.call(noteFocus)), world };
    const focus = outer.kind === "frame" ? await lookInside(outer) : outer;
    // The element that has lost the focus shows its outline without it.
    if (last !== world && last !== focus.world) await unlessGone(last, last.call(noteFocus));
    last = focus.world;
    if (focus.world !== world) {
      walked.frames.add(focus.world);
      walked.hasStopsInFrames = true;
    }
    return { focus, address: connection.takeLeaving() };
  }

  /** Place of the focus in an inner frame, where it is only in one. */
  async function lookInside(outer: Place): Promise<Place> {
    for (const frame of new Set([...(last === world ? [] : [last]), ...readable])) {
      const place = await unlessGone(frame, frame.call(noteFocus));
      if (place?.kind === "element") return { ...place, world: frame, isInOverlay: place.isInOverlay || outer.isInOverlay };
      // The document of the frame itself, which can be scrolled.
      if (place?.kind !== "nothing") continue;
      walked.frames.add(frame);
      return outer;
    }
    walked.hasUnseenFrames = true;
    return outer;
  }

  async function leavesAgain(place: Place): Promise<boolean> {
    await look("Shift+Tab");
    const { focus, address } = await look("Tab");
    return keyOf(focus) === keyOf(place) && address !== undefined;
  }

  /** Does no usual key lead out of a circle? An open dialog may keep the focus. */
  async function isTrap(circle: Place[], { isInOverlay }: Place): Promise<boolean> {
    const own = new Set(circle.map(keyOf));
    if (isInOverlay || circle.length > LARGEST_TRAP) return false;
    const around = Array.from({ length: circle.length + 1 });
    const keys: Key[] = [...around.map(() => "Tab" as const), ...around.map(() => "Shift+Tab" as const), "Escape", "Tab", "Escape", "Shift+Tab"];
    for (const key of keys) {
      const { focus } = await look(key);
      if (signal.aborted || focus.kind !== "element" || focus.isInOverlay || focus.hasInnerStops || !own.has(keyOf(focus))) return false;
    }
    return true;
  }
}

/**
 * Goes back with Shift+Tab after a walk to the end of a page, if a bar at the top of the window may cover focused elements then, and
 * keeps the elements that it covers.
 * @param signal ends it
 * @returns whether it reached the first element; also true without such a bar
 */
export async function walkBack(world: IsolatedWorld, connection: CutConnection, signal: AbortSignal): Promise<boolean> {
  if (!(await world.call(hasBarAtTop))) return true;
  let inside = 0;
  let isWhole = false;
  for (let keys = 0; keys < MOST_KEYS_BACK && inside <= MOST_KEYS_INSIDE && !isWhole && !signal.aborted; keys += 1) {
    await pressKey(world.session, "Shift+Tab");
    const focus = await world.call(noteFocus, true);
    connection.takeLeaving();
    if (focus.kind === "frame") inside += 1;
    isWhole = focus.kind === "outside" || focus.index === 0;
    if (!focus.isCovered) continue;
    await pause(SCROLLED_WITHIN_MS);
    await world.call(noteFocus, true);
  }
  await world.call(dropFocus);
  return isWhole;
}
