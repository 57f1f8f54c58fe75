/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { FormFieldsGlobals } from "./form-fields";
import type { FormGlobals } from "./form-log";
import type { OpeningGlobals, OpeningKey } from "./opening/opening-log";

/** Has a form appeared in the content that was opened last? */
export function hasOpenedForm(): boolean {
  const { rampeOpenings: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const forms = dom.roots().flatMap((root) => [...root.querySelectorAll("form")]);
  return state?.appeared.some((root) => forms.some((form) => dom.holds(root, form))) ?? false;
}

/**
 * Keeps the forms in the content that a control has opened; they are tried later. Needs `defineFormFields`.
 * @param name of the control
 * @param key that opens the content again; undefined if that is not possible by a key alone
 */
export function noteOpenedForms(index: number, name: string, key: OpeningKey | undefined): void {
  const { rampeOpenings: state, rampeFormFields, rampeDom: dom } = globalThis as unknown as OpeningGlobals & FormFieldsGlobals;
  const control = state?.controls[index];
  if (!state || !control || !rampeFormFields) return;
  const known = new Set(state.forms.map(({ form }) => form));
  for (const form of rampeFormFields.forms()) {
    const isNew = !known.has(form) && !state.isUsual(form) && state.appeared.some((root) => dom.holds(root, form));
    if (isNew && rampeFormFields.isWorthTrying(form)) state.forms.push({ form, ...(key && { opener: { control, key, name } }) });
  }
}

/** @returns number of the kept forms */
export function countOpenedForms(): number {
  return (globalThis as unknown as OpeningGlobals).rampeOpenings?.forms.length ?? 0;
}

/** Focuses the first control that shows a form. Needs `defineFormFields`. @returns its key and name; undefined if there is none that can be used */
export function focusFormOpener(): { key: OpeningKey; name: string } | undefined {
  const { rampeOpenings: state, rampeFormFields } = globalThis as unknown as OpeningGlobals & FormFieldsGlobals;
  const opener = state?.forms.find((each) => each.opener)?.opener;
  if (!state || !opener || !rampeFormFields) return undefined;
  state.formsBefore = new Set(rampeFormFields.forms().filter(rampeFormFields.isWorthTrying));
  opener.control.focus();
  return opener.control.matches(":focus") ? { key: opener.key, name: opener.name } : undefined;
}

/** Chooses the forms that were opened since, and limits runs of rules to them. Needs `defineForms`. @returns their number */
export function chooseOpenedForms(most: number): number {
  const { rampeOpenings: state, rampeForms, rampeDom: dom } = globalThis as unknown as OpeningGlobals & FormGlobals;
  if (!state || !rampeForms) return 0;
  const chosen = rampeForms.choose(most, (form) => !state.formsBefore.has(form));
  // Messages may be beside their form.
  state.appeared = chosen.map((form) => dom.composedParent(form) ?? form);
  return chosen.length;
}
