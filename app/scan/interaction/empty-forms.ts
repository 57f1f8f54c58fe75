import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CutConnection } from "./cut-connection";
import { pressKey } from "./press-key";
import { defineFormFields } from "./form-fields";
import { defineFormTexts } from "./form-texts";
import { watchSideEffects } from "./watch-side-effects";
import { defineForms, findForms, noteForm, prepareForm, restAfterForm, type FormLook } from "./form-log";

/** Maximum number of forms of a page. */
const MOST_FORMS = 5;
/** A page that has not changed for so long is done with its answer. */
const QUIET_MS = 60;
const ANSWERED_WITHIN_MS = 300;
/** Scripts often scroll to an error, or tell screen readers of it, a moment later: before a page is blamed, it is looked at again. */
const ANSWERED_LATE_WITHIN_MS = 800;

/** Looks for forms with empty fields, without searches. @returns the number of those to try, at most `MOST_FORMS`, and of all */
export async function findEmptyForms(world: IsolatedWorld): Promise<{ kept: number; all: number }> {
  if (!(await world.call(() => document.querySelector("form") !== null))) return { kept: 0, all: 0 };
  await world.call(defineFormFields);
  await world.call(defineFormTexts);
  await world.call(defineForms);
  return world.call(findForms, MOST_FORMS);
}

/**
 * Submits forms as they are, empty, by a key on their submit control, and keeps in the page's world what a script that refuses them does
 * (`RefusedField`, `FormMessage`). A form that sends something, or that the browser itself holds back, is not judged. The page must be
 * cut off from the network.
 * @param count of `findEmptyForms`
 * @param signal ends it after the current form
 * @returns whether all of them were tried that people can reach
 */
export async function submitEmptyForms(world: IsolatedWorld, connection: CutConnection, count: number, signal: AbortSignal): Promise<boolean> {
  const { session } = world;
  const sideEffects = watchSideEffects(session, connection);
  try {
    // A tab behind others has no focus otherwise.
    await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
    let isWhole = true;
    for (let index = 0; index < count; index += 1) {
      if (signal.aborted) return false;
      isWhole = (await submit(index)) && isWhole;
    }
    return isWhole;
  } finally {
    sideEffects.end();
  }

  /** @returns false if there was too much to look at */
  async function submit(index: number): Promise<boolean> {
    const state = await world.call(prepareForm, index);
    if (state !== "ready") return state === "unreachable";
    sideEffects.begin();
    await pressKey(session, "Space");
    let answer = await look(ANSWERED_WITHIN_MS);
    if (answer === "silent") answer = await look(ANSWERED_LATE_WITHIN_MS, ANSWERED_LATE_WITHIN_MS);
    return answer !== "unknown";

    async function look(mostMs: number, quietMs = QUIET_MS): Promise<FormLook> {
      await world.call(restAfterForm, quietMs, mostMs);
      return world.call(noteForm, sideEffects.seen());
    }
  }
}
