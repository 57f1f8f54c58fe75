import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Key } from "~/scan/interaction/press-key";
import { coversContent, isOpen } from "./closing";
import { noteTrial } from "./widgets";

/** Times after which an opened list is looked at again. */
const LOOKS_MS = [0, 50, 300];

interface ClosingHands {
  sendKey(key: Key): Promise<void>;
  /** @returns whether the widget has the focus */
  focus(): Promise<boolean>;
}

/** Presses Escape in the opened list of a field, then Tab, and keeps which one closed it (`ClosingTrial`). */
export async function closePopup(world: IsolatedWorld, index: number, role: string, { sendKey, focus }: ClosingHands): Promise<void> {
  const covers = await world.call(coversContent, index);
  const by = await closingKey();
  await world.call(noteTrial, index, { closing: { role, ...(by && { by }), covers } });

  async function closingKey(): Promise<"Escape" | "Tab" | undefined> {
    await sendKey("Escape");
    if (await isClosed()) return "Escape";
    if (await focus()) await sendKey("Tab");
    return (await isClosed()) ? "Tab" : undefined;
  }

  async function isClosed(): Promise<boolean> {
    for (const ms of LOOKS_MS) {
      await pause(ms);
      if (!(await world.call(isOpen, index))) return true;
    }
    return false;
  }
}
