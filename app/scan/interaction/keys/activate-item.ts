import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Key } from "~/scan/interaction/press-key";
import type { Effect } from "./effects";
import { chosenOf, focusStop, isAtTarget, itemToUse, noteItem, type ReadyItem } from "./item-activation";
import { forgetTarget } from "./item-walk";
import type { ActivationKey } from "./trials";

/** Maximum number of keys to an item that can be tried. */
const MOST_MOVES = 4;
/** Number of times that a key must have no effect. */
const SILENT_TIMES = 2;
/** Time for a page to choose what an arrow key leads to. */
const CHOSEN_WITHIN_MS = 60;

interface ItemHands {
  sendKey(key: Key): Promise<void>;
  /** @returns whether the widget has the focus */
  focus(): Promise<boolean>;
  /** Presses a key where the focus is. @param isPatient waits for a late effect as well */
  press(key: Key, isPatient: boolean): Promise<Effect>;
  /** Does a click on the target have a visible effect? */
  answersPointer(): Promise<boolean>;
  /** Has an arrow key an effect? */
  answersArrows(): Promise<boolean>;
  /** Shows the widget again. @returns whether it is shown, with the focus */
  reopen(): Promise<boolean>;
}

/**
 * Presses Enter and Space on an item to which the arrow keys lead, and keeps their effects (`ActivationTrial`). Items that need no key of
 * their own are left out: links, the browser's controls, and what the arrow keys choose or open.
 * @param move arrow key that leads to the next item; undefined if the Tab key leads to each one
 * @returns false for a failure of an item that the page has removed, which the rules do not find
 */
export async function activateItem(world: IsolatedWorld, index: number, move: Key | undefined, { sendKey, focus, press, answersPointer, answersArrows, reopen }: ItemHands): Promise<boolean> {
  let isReportable = true;
  const first = await tryFirst();
  await world.call(forgetTarget, index);
  if (first && (await reopen())) await trySecond(first);
  await world.call(forgetTarget, index);
  return isReportable;

  /** @returns key with a visible effect, if another key has to be tried on the next item */
  async function tryFirst(): Promise<{ answered: ActivationKey; other: ActivationKey } | undefined> {
    const item = await enter();
    if (!item) return undefined;
    const before = await world.call(chosenOf, index);
    const first = await pressEach(item.keys);
    if (!first || first.effect === "scrolled") return undefined;
    const { key: answered, effect } = first;
    if (answered !== undefined) {
      const isSeen = effect === "clear";
      await note(item, { answered: [answered], isSeen, missing: [], byPointer: false });
      const other = item.expected.find((key) => key !== answered);
      return isSeen && other ? { answered, other } : undefined;
    }
    const again = await pressEach(item.keys);
    if (!again || again.effect !== "none") return undefined;
    // A page may choose late what an arrow key leads to.
    const now = await world.call(chosenOf, index);
    if (now.item !== before.item || now.value !== before.value || (!move && (await answersArrows()))) return undefined;
    const byPointer = await answersPointer();
    if (byPointer) await note(item, { answered: [], isSeen: false, missing: [], byPointer });
    return undefined;
  }

  /** Tries the other key on the next item: the first one is used already. */
  async function trySecond({ answered, other }: { answered: ActivationKey; other: ActivationKey }): Promise<void> {
    const item = await enter();
    if (!item?.expected.includes(other)) return;
    for (let times = 0; times < SILENT_TIMES; times += 1) if ((await pressEach([other]))?.effect !== "none") return;
    if ((await pressEach([answered]))?.effect === "clear") await note(item, { answered: [answered], isSeen: true, missing: [other], byPointer: false });
  }

  async function enter(): Promise<ReadyItem | undefined> {
    if (move && !(await focus())) return undefined;
    for (let moves = 0; moves < MOST_MOVES; moves += 1) {
      const before = await world.call(chosenOf, index);
      if (move) await sendKey(move);
      else if (!(await world.call(focusStop, index))) return undefined;
      await pause(CHOSEN_WITHIN_MS);
      const item = await world.call(itemToUse, index, before);
      if (typeof item !== "string") return item;
      if (item === "needless" || !move) return undefined;
    }
    return undefined;
  }

  /** Presses keys until one has an effect; a late effect looks like one of the last key. @returns undefined if the keyboard is elsewhere */
  async function pressEach(keys: ActivationKey[]): Promise<{ key?: ActivationKey; effect: Effect } | undefined> {
    for (const [position, key] of keys.entries()) {
      if (!(await world.call(isAtTarget, index))) return undefined;
      const effect = await press(key, position === keys.length - 1);
      if (effect !== "none") return { key, effect };
    }
    return { effect: "none" };
  }

  async function note({ role }: ReadyItem, trial: { answered: ActivationKey[]; isSeen: boolean; missing: ActivationKey[]; byPointer: boolean }): Promise<void> {
    isReportable &&= await world.call(noteItem, index, { activation: { role, ...trial } });
  }
}
