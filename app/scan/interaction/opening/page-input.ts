import { settle } from "~/scan/page/settle";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Tab } from "~/scan/page/tab";
import { awaitAnimations } from "~/scan/interaction/await-animations";
import { pressKey, type Key } from "~/scan/interaction/press-key";
import { focusControl } from "./ready-control";

/** Time for a script to react, and for the opened content to come to rest. */
const REACTED_WITHIN_MS = 60;
const RESTS_WITHIN_MS = 800;

export interface Point {
  x: number;
  y: number;
}

/** Keyboard and pointer of a page, which know whether anything was done since it came to rest. */
export interface PageInput {
  press(key: Key): Promise<void>;
  click(point: Point): Promise<void>;
  pointAt(point: Point): Promise<void>;
  /** Moves the pointer to its corner. */
  pointAway(): Promise<void>;
  /** The pointer is in its corner. */
  isAway(): boolean;
  /** Focuses a control by its index. @returns whether it has the focus */
  focusOn(index: number): Promise<boolean>;
  /** The page was changed in another way, such as scrolled. */
  noteUse(): void;
  /** Waits until the page is at rest. @throws if the time is over */
  rest(): Promise<void>;
  /** Same as `rest`, but only if anything was done since. */
  restIfUsed(): Promise<void>;
}

/**
 * @param isAtRest the page has come to rest, and the pointer is in its corner
 * @param signal ends each wait
 */
export function openPageInput(tab: Tab, world: IsolatedWorld, isAtRest: boolean, signal: AbortSignal): PageInput {
  const { session } = world;
  let isUsed = !isAtRest;
  let isPointerInCorner = isAtRest;
  const move = async (point: Point) => {
    isUsed = true;
    await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
  };
  const rest = async () => {
    signal.throwIfAborted();
    await world.call(awaitAnimations, REACTED_WITHIN_MS, RESTS_WITHIN_MS);
    await settle(tab, world, RESTS_WITHIN_MS);
    signal.throwIfAborted();
    isUsed = false;
  };
  return {
    rest,
    async press(key) {
      isUsed = true;
      await pressKey(session, key);
    },
    async click(point) {
      [isUsed, isPointerInCorner] = [true, false];
      for (const type of ["mousePressed", "mouseReleased"] as const) await session.send("Input.dispatchMouseEvent", { type, ...point, button: "left", clickCount: 1 });
    },
    async pointAt(point) {
      isPointerInCorner = false;
      await move(point);
    },
    isAway: () => isPointerInCorner,
    async pointAway() {
      await move({ x: 0, y: 0 });
      isPointerInCorner = true;
    },
    async focusOn(index) {
      isUsed = true;
      return world.call(focusControl, index);
    },
    noteUse() {
      isUsed = true;
    },
    async restIfUsed() {
      if (isUsed) await rest();
    },
  };
}
