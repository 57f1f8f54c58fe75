/* The functions of this file run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { Field, FormFieldsGlobals } from "./form-fields";
import type { FormGlobals, SideEffects } from "./form-log";

/** Does a typed text stay in its field when its form is refused because of another field? */
export type TypedText = "kept" | "lost";

export interface TypedTextGlobals {
  rampeTypedTexts?: {
    trials: TypedTrial[];
    texts: Map<Element, TypedText>;
  };
}

interface TypedTrial {
  /** Index of the form among the tried forms. */
  form: number;
  field: Field;
  /** Empty fields because of which the form was refused. */
  wrong: Field[];
}

/** Chooses an empty text field in each form that a script has refused because of other fields. Needs `defineForms`. @returns indexes of the forms */
export function findTypable(): number[] {
  const { rampeForms, rampeFormFields, rampeDom: dom } = globalThis as unknown as FormGlobals & FormFieldsGlobals & DomGlobals;
  const state: NonNullable<TypedTextGlobals["rampeTypedTexts"]> = { trials: [], texts: new Map() };
  (globalThis as TypedTextGlobals).rampeTypedTexts = state;
  if (!rampeForms || !rampeFormFields) return [];
  const { fieldsOf, submitOf, buttonWords, namesOf, labelsOf, isEmpty, isMissing } = rampeFormFields;
  const least = 10;
  // Scripts may clear passwords and codes on purpose; fields with a format may refuse the text.
  const text = "textarea, input:not([type]), input[type=text]";
  const special = "[pattern], [list], [role=combobox], [role=spinbutton], [autocomplete^='cc-'], [autocomplete=one-time-code], [inputmode=numeric], [inputmode=decimal], [inputmode=tel]";
  const specialNames = /pass|kennwort|captcha|code|pin|date|datum|phone|tel|zip|plz|mail|iban|number|nummer|search|suche/i;
  // Buttons with such a name clear the form.
  const emptying = /reset|clear|discard|lösch|leeren|zurücksetzen|verwerfen/i;
  for (const { index, form, wrong } of rampeForms.refused()) {
    const button = submitOf(form);
    if (!button || emptying.test(buttonWords(button))) continue;
    const usable = fieldsOf(form).filter((field) => isEmpty(field) && isFreeText(field) && wrong.some((other) => other !== field && other.isConnected));
    const field = usable.find((each) => !isMissing(each) && !wrong.includes(each)) ?? usable.find((each) => !wrong.includes(each)) ?? usable[0];
    if (field) state.trials.push({ form: index, field, wrong: wrong.filter((other) => other !== field) });
  }
  return state.trials.map(({ form }) => form);

  function isFreeText(field: Field): boolean {
    const { maxLength } = field as HTMLInputElement;
    const isLong = maxLength < 0 || maxLength >= least;
    return field.matches(text) && !field.matches(special) && isLong && ![...namesOf(field), ...labelsOf(field).map((label) => dom.text(label))].some((name) => specialNames.test(name));
  }
}

/** Focuses the field of a trial. @returns whether a text can be typed into it */
export function focusTypable(index: number): boolean {
  const { rampeTypedTexts, rampeFormFields } = globalThis as TypedTextGlobals & FormFieldsGlobals;
  const field = rampeTypedTexts?.trials[index]?.field;
  if (!field?.isConnected || field.disabled || !rampeFormFields?.isShown(field)) return false;
  field.focus();
  return field.matches(":focus") && field.value === "";
}

/** Is the typed text still there? False if the field has gone. */
export function holdsText(index: number): boolean {
  const field = (globalThis as TypedTextGlobals).rampeTypedTexts?.trials[index]?.field;
  return field?.isConnected === true && field.value.trim() !== "";
}

/**
 * Keeps the result for the typed text after the form was submitted. Keeps nothing if the form was sent, or if none of the fields because of
 * which it was refused is empty any more.
 * @returns whether the text is lost so far
 */
export function noteTypedText(index: number, sideEffects: SideEffects): boolean {
  const { rampeTypedTexts: state, rampeForms, rampeFormFields } = globalThis as TypedTextGlobals & FormGlobals & FormFieldsGlobals;
  const trial = state?.trials[index];
  if (!state || !trial || !rampeForms || !rampeFormFields) return false;
  const { field, wrong } = trial;
  const { isEmpty, isShown } = rampeFormFields;
  state.texts.delete(field);
  // A field that was created again is another one; its content is not compared.
  if (!rampeForms.isHeld(sideEffects) || !field.isConnected || field.disabled || !isShown(field) || !wrong.some((other) => other.isConnected && isShown(other) && isEmpty(other))) return false;
  const isLost = isEmpty(field);
  state.texts.set(field, isLost ? "lost" : "kept");
  return isLost;
}

/** Removes the typed text. */
export function emptyTypable(index: number): void {
  const field = (globalThis as TypedTextGlobals).rampeTypedTexts?.trials[index]?.field;
  if (field?.isConnected) field.value = "";
}
