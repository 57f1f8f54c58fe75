import { setTimeout as pause } from "node:timers/promises";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { pressCharacter, pressKey, type Key } from "~/scan/interaction/press-key";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { chosenOf, emptyField, hasMovedOn, noteChoice, readyBack, readyChoice, TYPED } from "./choices";
import type { ChoiceTrial } from "./trials";

/** Scripts leave a page at once, or shortly after the last change. */
const LEFT_MS = [50, 300];
/** Digit typed into text fields: many take nothing else. */
const TYPED_DIGIT = "1";
/** Number of changes that must lead away, as confirmation: a timer of the page may do that by chance. */
const ROUNDS = 2;
const OPPOSITE: Partial<Record<Key, Key>> = { ArrowDown: "ArrowUp", ArrowUp: "ArrowDown" };

export interface ChoiceOptions {
  /** Number of windows that the page has requested so far. */
  windows: () => number;
  /** Time in ms, after which no further choice is changed. */
  budgetMs: number;
  /** Ends it at once. */
  signal: AbortSignal;
}

/**
 * Changes the values of lists, radio buttons, checkboxes and text fields by keys, and keeps in the page's world whether each change leads to
 * another page or window, and whether typing moves the focus on (`ChoiceTrial`). The changes are undone. The page must be cut off from the network.
 * @param count of the choices that were found in the page (`findChoices`)
 * @returns number of skipped choices
 */
export async function tryChoices(world: IsolatedWorld, connection: CutConnection, count: number, { windows, budgetMs, signal }: ChoiceOptions): Promise<number> {
  const { session } = world;
  const end = performance.now() + budgetMs;
  let skipped = 0;
  for (let index = 0; index < count; index += 1) {
    if (performance.now() > end) return skipped + count - index;
    if (!(await tryChoice(index))) skipped += 1;
  }
  return skipped;

  /** @returns false if it can no longer be used */
  async function tryChoice(index: number): Promise<boolean> {
    let trial: ChoiceTrial = {};
    for (let round = 1; round <= ROUNDS; round += 1) {
      const chosen = await world.call(chosenOf, index, TYPED);
      const kind = await world.call(readyChoice, index, TYPED);
      if (chosen === undefined || !kind) return false;
      if (typeof kind === "number") {
        const typed = await type(index, kind);
        if (!typed) return true;
        trial = typed;
        if (trial.leavesTo === undefined && !trial.movesOn) break;
        continue;
      }
      const changed = await change(index, kind === "list" ? ["ArrowDown", "ArrowUp"] : ["Space"], chosen);
      if (!changed) return true;
      trial = { leavesTo: changed.leavesTo };
      await takeBack(index, chosen, OPPOSITE[changed.key] ?? changed.key);
      if (trial.leavesTo === undefined) break;
    }
    await world.call(noteChoice, index, trial);
    return true;
  }

  /** Fills a text field, and empties it again. @returns undefined if it takes no digit, or as `change` */
  async function type(index: number, characters: number): Promise<ChoiceTrial | undefined> {
    const seen = watchLeaving();
    const missed = connection.missed();
    try {
      // Further characters would be typed in another field.
      for (let count = 0; count < characters && !(await world.call(hasMovedOn, index)); count += 1) {
        signal.throwIfAborted();
        await pressCharacter(session, TYPED_DIGIT);
      }
      const leavesTo = await seen();
      if (leavesTo !== undefined && connection.missed() > missed) return undefined;
      const length = (await world.call(chosenOf, index, TYPED)) ?? 0;
      const movesOn = await world.call(hasMovedOn, index);
      if (leavesTo === undefined && length === 0) return undefined;
      return { isTyped: true, ...(leavesTo !== undefined && { leavesTo }), ...(movesOn && { movesOn }) };
    } finally {
      await world.call(emptyField, index).catch(() => {});
      await pause(LEFT_MS[0]);
      connection.takeLeaving();
    }
  }

  /** @returns the key that changed it; undefined if none did, or if it led away after a request that failed because of the cut */
  async function change(index: number, keys: Key[], chosen: number): Promise<{ key: Key; leavesTo: string | undefined } | undefined> {
    for (const key of keys) {
      const seen = watchLeaving();
      const missed = connection.missed();
      await sendKey(key);
      const leavesTo = await seen();
      if (leavesTo !== undefined && connection.missed() > missed) return undefined;
      // A script that leaves the page may have reset the value.
      if (leavesTo !== undefined || (await world.call(chosenOf, index, TYPED)) !== chosen) return { key, leavesTo };
    }
    return undefined;
  }

  async function takeBack(index: number, chosen: number, key: Key): Promise<void> {
    if ((await world.call(chosenOf, index, TYPED)) !== chosen && (await world.call(readyBack, index, chosen))) await sendKey(key);
    await pause(LEFT_MS[0]);
    connection.takeLeaving();
  }

  /** @returns function that waits for the address that the page tried to open, "" for a window; undefined for none */
  function watchLeaving(): () => Promise<string | undefined> {
    connection.takeLeaving();
    const before = windows();
    return async () => {
      let waited = 0;
      for (const ms of LEFT_MS) {
        await pause(ms - waited);
        waited = ms;
        const left = connection.takeLeaving();
        const address = windows() > before ? "" : left;
        if (address !== undefined) return address;
      }
      return undefined;
    };
  }

  async function sendKey(key: Key): Promise<void> {
    signal.throwIfAborted();
    await pressKey(session, key);
  }
}
