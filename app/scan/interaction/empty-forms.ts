import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CutConnection } from "./cut-connection";
import { chooseOpenedForms, focusFormOpener } from "./opened-forms";
import { pressKey } from "./press-key";
import { pressOpener } from "./opening/press-opener";
import { defineFormFields, hasFieldsBeyond } from "./form-fields";
import { defineFormTexts } from "./form-texts";
import { watchSideEffects } from "./watch-side-effects";
import { defineForms, findForms, noteForm, prepareForm, restAfterForm, type FormLook } from "./form-log";

/** Maximum number of forms of a page. */
const MOST_FORMS = 5;
/** Maximum number of forms in opened content. */
const MOST_OPENED_FORMS = 2;
/** Time without changes after which the page's reaction has ended. */
const QUIET_MS = 60;
const ANSWERED_WITHIN_MS = 300;
/** Wait before a second look: scripts often scroll to an error, or announce it to screen readers, a moment later. */
const ANSWERED_LATE_WITHIN_MS = 800;

export interface EmptyForms {
  /** Number of forms to try, at most `MOST_FORMS`, and number of all. */
  kept: number;
  all: number;
  /** There are fields to fill in that cannot be submitted like a form, or not examined. */
  hasFieldsBeyond: boolean;
}

/** Finds forms with empty fields, except searches, also in open shadow roots. */
export async function findEmptyForms(world: IsolatedWorld): Promise<EmptyForms> {
  await defineFormFunctions(world);
  return { ...(await world.call(findForms, MOST_FORMS)), hasFieldsBeyond: await world.call(hasFieldsBeyond) };
}

/**
 * Opens again the first content with forms that a control has opened before (`noteOpenedForms`).
 * @param signal ends it at once
 * @returns name of the control, and number of forms to try; undefined if no form could be shown
 */
export async function openFormsAgain(world: IsolatedWorld, signal: AbortSignal): Promise<{ opener: string; kept: number } | undefined> {
  await world.session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  await defineFormFunctions(world);
  signal.throwIfAborted();
  const opener = await world.call(focusFormOpener);
  if (!opener) return undefined;
  await pressOpener(world, opener.key, signal);
  signal.throwIfAborted();
  const kept = await world.call(chooseOpenedForms, MOST_OPENED_FORMS);
  return kept > 0 ? { opener: opener.name, kept } : undefined;
}

async function defineFormFunctions(world: IsolatedWorld): Promise<void> {
  await world.call(defineFormFields);
  await world.call(defineFormTexts);
  await world.call(defineForms);
}

/**
 * Submits empty forms by a key on their submit control, and keeps in the page's world the reaction of a script that refuses them
 * (`RefusedField`, `FormMessage`). A form that sends something, or that the browser itself refuses, is not judged. The page must be
 * cut off from the network.
 * @param count result of `findEmptyForms` or `openFormsAgain`
 * @param signal ends it after the current form
 * @returns whether all forms were tried
 */
export async function submitEmptyForms(world: IsolatedWorld, connection: CutConnection, count: number, signal: AbortSignal): Promise<boolean> {
  const { session } = world;
  const sideEffects = watchSideEffects(session, connection);
  try {
    // Without this, a tab in the background has no focus.
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

  /** @returns false if the form is gone or behind other content, or if not all of its reaction could be examined */
  async function submit(index: number): Promise<boolean> {
    if (!(await world.call(prepareForm, index))) return false;
    sideEffects.begin();
    await pressKey(session, "Space");
    let answer = await look(ANSWERED_WITHIN_MS);
    if (answer === "silent" || answer === "unseen") answer = await look(ANSWERED_LATE_WITHIN_MS, ANSWERED_LATE_WITHIN_MS);
    return answer !== "unknown" && answer !== "unseen";

    async function look(mostMs: number, quietMs = QUIET_MS): Promise<FormLook> {
      await world.call(restAfterForm, quietMs, mostMs);
      return world.call(noteForm, sideEffects.seen());
    }
  }
}
