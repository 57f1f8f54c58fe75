import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { awaitAnimations } from "~/scan/interaction/await-animations";
import type { OpeningKey } from "./opening-log";
import { pressKey } from "~/scan/interaction/press-key";

/** Time for a control to begin to show its content, and for the content to come to rest. */
const OPENS_WITHIN_MS = 60;
const OPENED_WITHIN_MS = 800;

/** Presses the key of a focused control that has opened content before, and waits until the content is at rest. */
export async function pressOpener(world: IsolatedWorld, key: OpeningKey, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await pressKey(world.session, key);
  await world.call(awaitAnimations, OPENS_WITHIN_MS, OPENED_WITHIN_MS);
}
