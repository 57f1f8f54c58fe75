import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { pressCharacter, type Key } from "~/scan/interaction/press-key";
import { aimAtMissed, aimAtReached, beginItemWalk, forgetTarget, lettersOfMissed, lookAtItem } from "./item-walk";
import type { ItemPlace, MissedItems } from "./trials";

/** Maximum number of items of a widget that are judged. */
const MOST_ITEMS = 12;
const MOST_LETTERS = 3;
/** Wait after a key that did not move the focus; then for one that moved it in the first walk. */
const STANDS_MS = 150;
const SLOWLY_MS = 60;
/** Rows of a grid. */
const MOST_ROWS = 4;

const OPPOSITE: Partial<Record<Key, Key>> = { ArrowDown: "ArrowUp", ArrowRight: "ArrowLeft", ArrowUp: "ArrowDown", ArrowLeft: "ArrowRight" };

interface WalkHands {
  sendKey(key: Key): Promise<void>;
  /** @returns whether the widget has the focus */
  focus(): Promise<boolean>;
  /** Has a click on the target a visible effect? */
  answersPointer(): Promise<boolean>;
  /** Clicks on the target, without a look at the effect. */
  click(): Promise<void>;
  signal: AbortSignal;
}

/**
 * Goes on through the items of a focused widget with the keys of its role, and ends near the item where it began.
 * @param answer arrow key with an effect
 * @returns items that no key reached, in two walks; undefined for none
 */
export async function walkItems(world: IsolatedWorld, index: number, role: string, answer: Key, { sendKey, focus, answersPointer, click, signal }: WalkHands): Promise<MissedItems | undefined> {
  const begun = await world.call(beginItemWalk, index, MOST_ITEMS);
  if (!begun || begun.left === 0) return undefined;
  let left = await sweepAll(begun, 0);
  if (left > 0 && (await focus())) left = await sweepAll(await look(), SLOWLY_MS);
  if (left > 0) left = await typeLetters(left);
  if (left === 0) await goBack(begun);
  const missed = left > 0 ? await world.call(aimAtMissed, index) : undefined;
  if (!missed) return undefined;
  const { count, name, isChosen } = missed;
  // An earlier step may have chosen it.
  if (isChosen && (await world.call(aimAtReached, index))) {
    await click();
    await world.call(aimAtMissed, index);
  }
  const byPointer = await answersPointer();
  await world.call(forgetTarget, index);
  return { count, name, byPointer };

  /** @returns number of the items that were not reached; 0 if the walk cannot be continued */
  async function sweepAll(from: ItemPlace | undefined, ms: number): Promise<number> {
    let place = from;
    for (const { key, most } of sweeps()) {
      const seen = new Set<number>([place?.at ?? -1]);
      for (let count = 0; count < most && place && place.left > 0; count += 1) {
        await sendKey(key);
        const next = await moved(place, ms);
        if (!next) return 0;
        place = next;
        if (seen.has(next.at)) break;
        seen.add(next.at);
      }
      if (place?.left === 0) return 0;
      // A key may have opened a menu of its own.
      if (place && !place.isItem) {
        await sendKey("Escape");
        if (!(await focus())) return 0;
        place = await look();
      }
    }
    return place?.left ?? 0;
  }

  function sweeps(): { key: Key; most: number }[] {
    if (/grid$/.test(role)) return Array.from({ length: MOST_ROWS }, () => [{ key: "ArrowRight" as const, most: MOST_ITEMS }, { key: "ArrowDown" as const, most: 1 }, { key: "ArrowLeft" as const, most: MOST_ITEMS }, { key: "ArrowDown" as const, most: 1 }]).flat();
    const back = OPPOSITE[answer] ?? "Home";
    const across: Key[] = /^Arrow(Up|Down)$/.test(answer) ? ["ArrowRight", "ArrowLeft"] : ["ArrowDown", "ArrowUp"];
    return [...[answer, back].map((key) => ({ key, most: MOST_ITEMS + 2 })), { key: "Home", most: 1 }, { key: "End", most: 1 }, ...across.map((key) => ({ key, most: MOST_ITEMS }))];
  }

  async function look(): Promise<ItemPlace | undefined> {
    signal.throwIfAborted();
    return world.call(lookAtItem, index);
  }

  async function moved(before: ItemPlace, ms: number): Promise<ItemPlace | undefined> {
    if (ms > 0) await pause(ms);
    const soon = await look();
    if (soon?.at !== before.at) return soon;
    await pause(STANDS_MS);
    return look();
  }

  async function typeLetters(before: number): Promise<number> {
    if (role === "combobox" || !(await focus())) return before;
    for (const letter of await world.call(lettersOfMissed, index, MOST_LETTERS)) {
      signal.throwIfAborted();
      await pressCharacter(world.session, letter);
      await pause(STANDS_MS);
      await look();
    }
    return (await look())?.left ?? 0;
  }

  /** Arrow keys also choose tabs and radio buttons: the first choice is restored. */
  async function goBack({ at }: ItemPlace): Promise<void> {
    const back = OPPOSITE[answer];
    for (let count = 0; back && at >= 0 && count < MOST_ITEMS; count += 1) {
      if ((await look())?.at === at) return;
      await sendKey(back);
    }
  }
}
