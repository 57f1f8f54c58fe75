/* The functions of this file run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { Field, FormFieldsGlobals } from "./form-fields";
import type { FormGlobals, SideEffects } from "./form-log";

/** Whether a typed text stayed in its field when its form was refused because of another field. */
export type TypedText = "kept" | "lost";

export interface TypedTextGlobals {
  rampeTypedTexts?: {
    trials: TypedTrial[];
    texts: Map<Element, TypedText>;
  };
}

interface TypedTrial {
  /** Index of the form among those that were tried. */
  form: number;
  field: Field;
  /** Fields that the form was refused for, and that stay empty. */
  wrong: Field[];
}

/** Chooses an empty text field in each form that a script has refused because of others. Needs `defineForms`. @returns the forms, by their index */
export function findTypable(): number[] {
  const { rampeForms, rampeFormFields, rampeDom: dom } = globalThis as unknown as FormGlobals & FormFieldsGlobals & DomGlobals;
  const state: NonNullable<TypedTextGlobals["rampeTypedTexts"]> = { trials: [], texts: new Map() };
  (globalThis as TypedTextGlobals).rampeTypedTexts = state;
  if (!rampeForms || !rampeFormFields) return [];
  const { fieldsOf, submitOf, isEmpty, isMissing } = rampeFormFields;
  const least = 10;
  // Scripts may empty passwords and codes on purpose; what has a format of its own may be refused.
  const text = "textarea, input:not([type]), input[type=text]";
  const special = "[pattern], [list], [role=combobox], [role=spinbutton], [autocomplete^='cc-'], [autocomplete=one-time-code], [inputmode=numeric], [inputmode=decimal], [inputmode=tel]";
  const specialNames = /pass|kennwort|captcha|code|pin|date|datum|phone|tel|zip|plz|mail|iban|number|nummer|search|suche/i;
  // Such a button empties the form, as it says.
  const emptying = /reset|clear|discard|lösch|leeren|zurücksetzen|verwerfen/i;
  for (const { index, form, wrong } of rampeForms.refused()) {
    const button = submitOf(form);
    const words = button ? [dom.text(button), (button as HTMLInputElement).value, button.getAttribute("aria-label"), (button as HTMLButtonElement).name].join(" ") : "";
    if (!button || emptying.test(words)) continue;
    const usable = fieldsOf(form).filter((field) => isEmpty(field) && isFreeText(field) && wrong.some((other) => other !== field && other.isConnected));
    const field = usable.find((each) => !isMissing(each) && !wrong.includes(each)) ?? usable.find((each) => !wrong.includes(each)) ?? usable[0];
    if (field) state.trials.push({ form: index, field, wrong: wrong.filter((other) => other !== field) });
  }
  return state.trials.map(({ form }) => form);

  function isFreeText(field: Field): boolean {
    const { maxLength } = field as HTMLInputElement;
    const isLong = maxLength < 0 || maxLength >= least;
    return field.matches(text) && !field.matches(special) && isLong && ![field.name, field.id, ...[...(field.labels ?? [])].map((label) => dom.text(label))].some((name) => specialNames.test(name));
  }
}

/** Gives the field of a trial the focus. @returns whether a text can be typed into it */
export function focusTypable(index: number): boolean {
  const { rampeTypedTexts, rampeFormFields } = globalThis as TypedTextGlobals & FormFieldsGlobals;
  const field = rampeTypedTexts?.trials[index]?.field;
  if (!field?.isConnected || field.disabled || !rampeFormFields?.isShown(field)) return false;
  field.focus();
  return field.matches(":focus") && field.value === "";
}

/** Whether the typed text is still there; false if the field has gone. */
export function holdsText(index: number): boolean {
  const field = (globalThis as TypedTextGlobals).rampeTypedTexts?.trials[index]?.field;
  return field?.isConnected === true && field.value.trim() !== "";
}

/**
 * After the form was submitted: keeps what became of the text. Nothing is kept if the form was sent, or if none of the fields that it was refused
 * for is empty any more.
 * @returns whether the text is lost so far
 */
export function noteTypedText(index: number, sideEffects: SideEffects): boolean {
  const { rampeTypedTexts: state, rampeForms, rampeFormFields } = globalThis as TypedTextGlobals & FormGlobals & FormFieldsGlobals;
  const trial = state?.trials[index];
  if (!state || !trial || !rampeForms || !rampeFormFields) return false;
  const { field, wrong } = trial;
  const { isEmpty, isShown } = rampeFormFields;
  state.texts.delete(field);
  // A field that was made anew is another one; what it holds is not compared.
  if (!rampeForms.isHeld(sideEffects) || !field.isConnected || field.disabled || !isShown(field) || !wrong.some((other) => other.isConnected && isShown(other) && isEmpty(other))) return false;
  const isLost = isEmpty(field);
  state.texts.set(field, isLost ? "lost" : "kept");
  return isLost;
}

/** Takes the typed text away again. */
export function emptyTypable(index: number): void {
  const field = (globalThis as TypedTextGlobals).rampeTypedTexts?.trials[index]?.field;
  if (field?.isConnected) field.value = "";
}
