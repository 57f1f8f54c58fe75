/* The functions of this file run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface FormFieldsGlobals {
  rampeFormFields?: {
    /** Matches every `Field`. */
    fieldSelector: string;
    /** Are there fields to fill in, among them a required one, that no form with a control to submit it holds? Also in web components. */
    hasFieldsBeyond(): boolean;
    /** Has the form empty fields, and is it no search? */
    isWorthTrying(form: HTMLFormElement): boolean;
    /** Fields that users can fill in. */
    fieldsOf(form: HTMLFormElement): Field[];
    submitOf(form: HTMLFormElement): HTMLElement | undefined;
    isShown(element: Element): boolean;
    isEmpty(field: Field): boolean;
    /** Is the field required, by its markup or its label, and empty? */
    isMissing(field: Field): boolean;
    /** Words of the labels, "" for none. */
    labelOf(field: Field): string;
    /** Elements referenced by the ids in an attribute. */
    referenced(element: Element, attribute: string): Element[];
    /** The field, and the boxes around it that contain no other field. */
    boxesOf(field: Field): Element[];
    /** Are both radio buttons of one group? */
    isSameChoice(field: Field, other: Element): boolean;
    /** Colours of the field's boxes. */
    looksOf(field: Field): string;
    /** Has the look changed, apart from effects of the focus? */
    looksOther(one: string, other: string): boolean;
    /** Is the field marked by `aria-invalid`? */
    isInvalid(field: Field): boolean;
    /** Value and placeholder of a field: a script may write its message there. */
    wordsOf(field: Field): string;
  };
}

export function defineFormFields(): void {
  const mostFields = 100;
  const fieldSelector = "input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image]), select, textarea";
  const choices = "input[type=checkbox], input[type=radio]";
  const requiredWords = /[*＊]|\b(required|mandatory|pflicht|erforderlich|notwendig|benötigt|obligat\w*|obrigat\w*|requis\w*|requerid\w*|verplicht)/i;
  // A form's controls may hide its properties by having the same names.
  const elementsOf = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements")?.get as () => HTMLFormControlsCollection;
  const globals = globalThis as unknown as FormFieldsGlobals & DomGlobals;
  const { rampeDom: dom } = globals;

  globals.rampeFormFields = {
    ...{ fieldSelector, hasFieldsBeyond, isWorthTrying, fieldsOf, submitOf, isShown, isEmpty, isMissing, labelOf, referenced },
    ...{ boxesOf, isSameChoice, looksOf, looksOther, isInvalid, wordsOf },
  };

  function hasFieldsBeyond(): boolean {
    const least = 2;
    const all = dom.roots().flatMap((root) => [...root.querySelectorAll<Field>(fieldSelector)].map((field) => ({ field, isInner: root !== document })));
    const beyond = all.filter(({ field, isInner }) => (isInner || !field.form || !submitOf(field.form)) && isUsable(field) && isEmpty(field) && !field.closest("[role=search], search"));
    return beyond.length >= least && beyond.some(({ field }) => isMissing(field));
  }

  function isUsable(field: Field): boolean {
    return !field.disabled && !(field as HTMLInputElement).readOnly && isShown(field);
  }

  function isWorthTrying(form: HTMLFormElement): boolean {
    const fields = fieldsOf(form);
    return submitOf(form) !== undefined && fields.some((field) => isEmpty(field) && (isMissing(field) || !field.matches(choices))) && !isSearch(form, fields);
  }

  /** Is the form a search? Without words, a search finds nothing or everything; neither is an error. */
  function isSearch(form: HTMLFormElement, fields: Field[]): boolean {
    if (dom.closest(form, "[role=search], search") || fields.some(({ type }) => type === "search")) return true;
    const typed = fields.filter((field) => !field.matches(choices));
    const [only] = typed;
    if (!only || typed.length > 1 || isMissing(only)) return false;
    return /^(q|s|query|keywords?|term)$|search|suche|such/i.test(only.name) || /\b(search|such)/i.test([labelOf(only), only.getAttribute("placeholder"), submitOf(form)?.textContent].join(" "));
  }

  function fieldsOf(form: HTMLFormElement): Field[] {
    const all = [...elementsOf.call(form)].filter((each): each is Field => each.matches(fieldSelector));
    return all.slice(0, mostFields).filter(isUsable);
  }

  function submitOf(form: HTMLFormElement): HTMLElement | undefined {
    const buttons = [...elementsOf.call(form)].filter((each) => /^(button|input)$/.test(each.localName) && (each as HTMLButtonElement).type === "submit");
    const usable = buttons.filter((button) => !(button as HTMLButtonElement).disabled && button.getAttribute("aria-disabled") !== "true" && isShown(button));
    return (usable.find((button) => !button.hasAttribute("formnovalidate")) ?? usable[0]) as HTMLElement | undefined;
  }

  function isShown(element: Element): boolean {
    const { width, height } = dom.box(element);
    return width >= 1 && height >= 1 && dom.isShown(element, { visibilityProperty: true });
  }

  function isEmpty(field: Field): boolean {
    if (field instanceof HTMLInputElement && field.type === "radio") return !alike(field).some(({ checked }) => checked);
    return field.matches("[type=checkbox]") ? !(field as HTMLInputElement).checked : field.value.trim() === "";
  }

  function alike(radio: HTMLInputElement): HTMLInputElement[] {
    if (!radio.name || !radio.form) return [radio];
    return [...elementsOf.call(radio.form)].filter((each): each is HTMLInputElement => each instanceof HTMLInputElement && each.type === "radio" && each.name === radio.name);
  }

  function isMissing(field: Field): boolean {
    const group = field.closest("[role=radiogroup]");
    const isRequired = field.required || field.getAttribute("aria-required") === "true" || group?.getAttribute("aria-required") === "true" || requiredWords.test(labelOf(field));
    return isRequired && isEmpty(field);
  }

  function labelOf(field: Field): string {
    const named = referenced(field, "aria-labelledby").map((each) => dom.text(each));
    return [...[...(field.labels ?? [])].map((each) => dom.text(each)), ...named, field.getAttribute("aria-label")].join(" ").trim();
  }

  function referenced(element: Element, attribute: string): Element[] {
    const root = element.getRootNode() as Document | ShadowRoot;
    const ids = (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean);
    return ids.map((id) => root.getElementById(id)).filter((found) => found !== null);
  }

  function boxesOf(field: Field): Element[] {
    const boxes: Element[] = [field];
    for (let box = dom.parent(field); box && box !== field.form && boxes.length < 4; box = dom.parent(box)) {
      const inside = dom.inside(box, `button, input[type=submit], ${fieldSelector}`);
      if (inside.some((other) => other !== field && isShown(other) && !isSameChoice(field, other))) break;
      boxes.push(box);
    }
    return boxes;
  }

  function isSameChoice(field: Field, other: Element): boolean {
    return field instanceof HTMLInputElement && field.type === "radio" && other instanceof HTMLInputElement && other.type === "radio" && other.name === field.name;
  }

  function looksOf(field: Field): string {
    const looks = boxesOf(field).map((box) => {
      const { borderTopColor, borderBottomColor, borderBottomWidth, outlineColor, outlineStyle, boxShadow, backgroundColor, color } = getComputedStyle(box);
      return dom.matches(box, ":focus, :focus-within") ? "focus" : [borderTopColor, borderBottomColor, borderBottomWidth, outlineStyle === "none" ? "" : outlineColor, boxShadow, backgroundColor, color].join();
    });
    return looks.join(";");
  }

  function looksOther(one: string, other: string): boolean {
    const [before, after] = [one.split(";"), other.split(";")];
    return before.some((look, at) => look !== "focus" && after[at] !== "focus" && after[at] !== undefined && after[at] !== look);
  }

  function isInvalid(field: Field): boolean {
    return /^(true|grammar|spelling)$/.test(field.getAttribute("aria-invalid") ?? field.closest("[role=radiogroup]")?.getAttribute("aria-invalid") ?? "");
  }

  function wordsOf(field: Field): string {
    return [field.value, ...["placeholder", "title", "aria-label", "aria-description"].map((attribute) => field.getAttribute(attribute) ?? "")].join("\n");
  }
}

export function hasFieldsBeyond(): boolean {
  const { rampeFormFields } = globalThis as FormFieldsGlobals;
  if (!rampeFormFields) throw new Error("No form fields are defined.");
  return rampeFormFields.hasFieldsBeyond();
}
