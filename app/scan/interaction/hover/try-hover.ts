import { setTimeout as pause } from "node:timers/promises";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { pressKey } from "~/scan/interaction/press-key";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { watchContent } from "./content-watch";
import { useTriggers } from "./find-triggers";
import { describeContent, dropFocus, focusTrigger, isContentShown, isHit, noteContent, noteHover, pointAway, readyTrigger, type HoverContent, type Point, type ReadyTrigger } from "./hover-content";
import type { HoverReason, HoverTrial } from "./hover-log";

/** Times of the looks at the page, after the pointer has come. */
const LOOKS_MS: Record<HoverReason, number[]> = { style: [60, 300], script: [60, 300, 800], icon: [60, 400] };
/** Times of the looks for closed content, after a key or a movement. Scripts often wait before they hide a menu. */
const GONE_MS = [80, 250, 500];
const CLOSED_MS = [80, 300];
const LEFT_MS = [80, 300, 800];
/** Time for which content of a script is watched, once per page: tooltips often disappear by themselves. */
const HELD_MS = 1_500;
/** Step of the movement across a gap, like that of a slow hand. */
const STEP_PX = 3;
const STEP_MS = 12;
const MOST_STEPS = 60;
const LEAST_GAP_PX = 4;

export interface HoverOptions {
  /** Time in ms, after which no further element is hovered. */
  budgetMs: number;
  /** Ends it at once. */
  signal: AbortSignal;
}

/**
 * Moves the pointer onto elements, and keeps in the page's world the behaviour of the content that appears then (`HoverTrial`): whether
 * Escape closes it, and whether the pointer can move onto it. The page must be cut off from the network.
 * @param count of the elements that were found in the page (`findTriggers`)
 * @returns number of skipped elements
 */
export async function tryHover(world: IsolatedWorld, connection: CutConnection, count: number, { budgetMs, signal }: HoverOptions): Promise<number> {
  const { session } = world;
  const { rest, hasGone } = watchContent(world, signal);
  const end = performance.now() + budgetMs;
  let hasHeld = false;
  let away: Point = { x: 0, y: 0 };
  // Without this, a tab in the background has no focus.
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  await world.call(dropFocus);
  await world.call(useTriggers, "hover");
  for (let index = 0; index < count; index += 1) {
    if (performance.now() > end) return count - index;
    away = await world.call(pointAway, index);
    await moveTo(away);
    const trigger = await world.call(readyTrigger, index);
    const trial = trigger && (await tryTrigger(index, trigger));
    if (!trial) continue;
    await world.call(noteHover, index, trial);
    if (trigger.reason === "style" || hasHeld || trial.staysUnderPointer === "no" || performance.now() > end) continue;
    hasHeld = true;
    if (await vanishesAgain(index, trigger)) await world.call(noteHover, index, { ...trial, vanishes: true });
  }
  await moveTo(away);
  return 0;

  /** @returns undefined if nothing appears, or if the pointer may not be the reason */
  async function tryTrigger(index: number, trigger: ReadyTrigger): Promise<HoverTrial | undefined> {
    const requests = connection.requests();
    const appeared = await hover(index, trigger);
    // New content after a request may be its error message: the connection is cut.
    if (!appeared || (connection.requests() > requests && !appeared.wasPresent)) return undefined;
    const content = await world.call(describeContent, index, trigger.point);
    if (!content) return undefined;
    const { covers, mayClose } = content;
    const closedBy = await close(index, content);
    if (!(await isBack(index, trigger))) return undefined;
    const staysUnderPointer = await follow(index, trigger, content);
    if (!staysUnderPointer || !(await returns(index, trigger))) return undefined;
    return { covers, closedBy, mayClose, staysUnderPointer, vanishes: false };
  }

  async function hover(index: number, { point, reason }: ReadyTrigger): Promise<{ wasPresent: boolean } | undefined> {
    await moveTo({ x: point.x - 1, y: point.y });
    await moveTo(point);
    let waited = 0;
    for (const ms of LOOKS_MS[reason]) {
      await rest(ms - waited);
      waited = ms;
      const { isThere, wasPresent } = await world.call(noteContent, index);
      if (isThere) return { wasPresent };
    }
    return undefined;
  }

  /** Does the content disappear twice although the pointer stays, and the page has not moved below it? */
  async function vanishesAgain(index: number, trigger: ReadyTrigger): Promise<boolean> {
    for (const round of [1, 2]) {
      await rest(HELD_MS);
      if ((await world.call(isContentShown)) || !(await world.call(isHit, index, trigger.point))) return false;
      if (round === 1 && !(await returns(index, trigger))) return false;
    }
    return true;
  }

  /** Presses Escape while the pointer does not move. */
  async function close(index: number, { covers, isError }: HoverContent): Promise<HoverTrial["closedBy"]> {
    if (covers === undefined || isError) return "needless";
    await pressKey(session, "Escape");
    if (await hasGone(CLOSED_MS)) return "Escape";
    const hasFocus = await world.call(focusTrigger, index);
    if (hasFocus) await pressKey(session, "Escape");
    const isClosed = hasFocus && (await hasGone(CLOSED_MS));
    // While the element has the focus, the content may stay.
    await world.call(dropFocus);
    return isClosed ? "Escape with focus" : "nothing";
  }

  /** Moves the pointer onto the content, slowly across a gap. @returns undefined if the content does not come back */
  async function follow(index: number, trigger: ReadyTrigger, { target, gap }: HoverContent): Promise<HoverTrial["staysUnderPointer"] | undefined> {
    if (!target) return "unknown";
    const isApart = gap >= LEAST_GAP_PX;
    const atOnce = () => moveTo(target);
    const slowly = () => moveSlowly(trigger.point, target);
    if (await stays(isApart ? slowly : atOnce)) return "yes";
    // Second try, as confirmation.
    if (!(await returns(index, trigger))) return undefined;
    if (!(await stays(atOnce))) return "no";
    if (!isApart || !(await returns(index, trigger))) return "yes";
    return (await stays(slowly)) ? "yes" : "gap";
  }

  async function stays(move: () => Promise<void>): Promise<boolean> {
    await move();
    return !(await hasGone(GONE_MS));
  }

  async function moveSlowly(from: Point, to: Point): Promise<void> {
    const steps = Math.min(MOST_STEPS, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP_PX) + 1);
    for (let step = 1; step <= steps; step += 1) {
      await moveTo({ x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps });
      await pause(STEP_MS);
    }
  }

  /** Shows the content again, if it was closed. */
  async function isBack(index: number, trigger: ReadyTrigger): Promise<boolean> {
    return (await world.call(isContentShown)) || returns(index, trigger);
  }

  /** Leaves the element and hovers it again. @returns whether the same content disappears, and appears again */
  async function returns(index: number, trigger: ReadyTrigger): Promise<boolean> {
    if (!(await leave()) || !(await world.call(isHit, index, trigger.point))) return false;
    return (await hover(index, trigger)) !== undefined;
  }

  async function leave(): Promise<boolean> {
    await moveTo(away);
    return hasGone(LEFT_MS);
  }

  async function moveTo(point: Point): Promise<void> {
    signal.throwIfAborted();
    await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
  }
}
