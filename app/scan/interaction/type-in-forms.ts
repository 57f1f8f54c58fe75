import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CutConnection } from "./cut-connection";
import { prepareForm, restAfterForm } from "./form-log";
import { pressKey } from "./press-key";
import { emptyTypable, focusTypable, holdsText, noteTypedText } from "./typed-text";
import { watchSideEffects } from "./watch-side-effects";

const TEXT = "Test";
/** Time for scripts to answer a typed text. */
const TYPED_WITHIN_MS = 100;
const QUIET_MS = 60;
const ANSWERED_WITHIN_MS = 300;
/** Wait before a second look: a script may write the text again a moment later. */
const ANSWERED_LATE_WITHIN_MS = 800;

/**
 * Types a text into a field of each form that a script has refused, when empty, because of other fields; submits the form again, and keeps
 * in the page's world whether the text is still there (`TypedText`). The page must be cut off from the network.
 * @param forms result of `findTypable`
 * @param signal ends it after the current form
 * @returns whether all of them were tried
 */
export async function typeInForms(world: IsolatedWorld, connection: CutConnection, forms: number[], signal: AbortSignal): Promise<boolean> {
  const { session } = world;
  const sideEffects = watchSideEffects(session, connection);
  try {
    for (const [index, form] of forms.entries()) {
      if (signal.aborted) return false;
      await tryText(index, form);
      await world.call(emptyTypable, index);
    }
    return true;
  } finally {
    sideEffects.end();
  }

  async function tryText(index: number, form: number): Promise<void> {
    if (!(await world.call(focusTypable, index))) return;
    await session.send("Input.insertText", { text: TEXT });
    await world.call(restAfterForm, QUIET_MS, TYPED_WITHIN_MS);
    const isReady = await world.call(prepareForm, form);
    if (!isReady || !(await world.call(holdsText, index))) return;
    sideEffects.begin();
    await pressKey(session, "Space");
    if (await look(ANSWERED_WITHIN_MS, QUIET_MS)) await look(ANSWERED_LATE_WITHIN_MS, ANSWERED_LATE_WITHIN_MS);

    async function look(mostMs: number, quietMs: number): Promise<boolean> {
      await world.call(restAfterForm, quietMs, mostMs);
      return world.call(noteTypedText, index, sideEffects.seen());
    }
  }
}
