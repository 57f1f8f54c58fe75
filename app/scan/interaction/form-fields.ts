/* The functions of this file run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface FormFieldsGlobals {
  rampeFormFields?: {
    /** Matches every `Field`. */
    fieldSelector: string;
    /** Reads many facts, and computes each only once. The page must not change meanwhile. */
    inOnePass<Result>(read: () => Result): Result;
    /**
     * Are there fields to fill in, among them a required one, that no form with a control to submit it holds, or fields of web components that
     * cannot be examined?
     */
    hasFieldsBeyond(): boolean;
    /** Forms of the document and of open shadow roots. */
    forms(): HTMLFormElement[];
    /** Has the form empty fields, and is it no search? */
    isWorthTrying(form: HTMLFormElement): boolean;
    /** Fields that users can fill in, also those of web components in the form. */
    fieldsOf(form: HTMLFormElement): Field[];
    /** Control that submits the form; the button inside, if it is a web component. */
    submitOf(form: HTMLFormElement): HTMLElement | undefined;
    /** Form of a control; for one of a web component, the form around that. */
    formOf(control: Element): HTMLFormElement | null;
    /** Elements in an element, in the order of the composed tree: also those in open shadow roots, and those that slots show. */
    insideComposed(element: Element): Element[];
    /** Web components in a form, from the inside out, of which a control is the only one. */
    hostsOf(control: Element): Element[];
    isShown(element: Element): boolean;
    isEmpty(field: Field): boolean;
    /** Is the field required, by its markup or its label, and empty? */
    isMissing(field: Field): boolean;
    /** Words of the labels, "" for none. */
    labelOf(field: Field): string;
    /** Elements with the words of the label, also those of the field's web component. */
    labelsOf(field: Field): Element[];
    /** Names and ids of a field and its web component, which scripts and browsers read. */
    namesOf(field: Field): string[];
    /** Words of a button. */
    buttonWords(button: HTMLElement): string;
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
  const mostFieldsInPage = 5_000;
  const mostForms = 100;
  const mostParts = 500;
  const mostHosts = 10;
  const fieldSelector = "input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image]), select, textarea";
  const choices = "input[type=checkbox], input[type=radio]";
  const searches = "[role=search], search";
  const requiredWords = /[*＊]|\b(required|mandatory|pflicht|erforderlich|notwendig|benötigt|obligat\w*|obrigat\w*|requis\w*|requerid\w*|verplicht)/i;
  // A form's controls may hide its properties by having the same names.
  const elementsOf = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements")?.get as () => HTMLFormControlsCollection;
  const globals = globalThis as unknown as FormFieldsGlobals & DomGlobals;
  const { rampeDom: dom } = globals;

  globals.rampeFormFields = {
    ...{ fieldSelector, inOnePass, hasFieldsBeyond: () => inOnePass(hasFieldsBeyond), forms, isWorthTrying, fieldsOf, submitOf, formOf, insideComposed, hostsOf, isShown, isEmpty, isMissing },
    ...{ labelOf, labelsOf, namesOf, buttonWords, boxesOf, isSameChoice, looksOf, looksOther, isInvalid, wordsOf },
  };

  /** Facts of the current pass, by kind and element. */
  let facts: Map<string, Map<Element, unknown>> | undefined;

  function inOnePass<Result>(read: () => Result): Result {
    if (facts) return read();
    facts = new Map();
    try {
      return read();
    } finally {
      facts = undefined;
    }
  }

  function once<Fact>(kind: string, element: Element, make: () => Fact): Fact {
    if (!facts) return make();
    const ofKind = facts.get(kind) ?? new Map<Element, unknown>();
    facts.set(kind, ofKind);
    if (!ofKind.has(element)) ofKind.set(element, make());
    return ofKind.get(element) as Fact;
  }

  function hasFieldsBeyond(): boolean {
    const least = 2;
    const all = dom.roots().flatMap((root) => [...root.querySelectorAll<Field>(fieldSelector)]);
    const every = forms();
    if (all.length > mostFieldsInPage || every.length > mostForms) return true;
    const isSubmitted = new Map<HTMLFormElement, boolean>(every.map((form) => [form, submitOf(form) !== undefined]));
    const isTried = (form: HTMLFormElement | null) => form !== null && isSubmitted.get(form) === true;
    const beyond = all.filter((field) => !isTried(formOf(field)) && isUsable(field) && isEmpty(field) && !closest(field, searches));
    return (beyond.length >= least && beyond.some(isMissing)) || every.some(hasUnseenFields);
  }

  /** Are there fields that a web component draws without a native field, or in a closed shadow root? Only their script knows their state. */
  function hasUnseenFields(form: HTMLFormElement): boolean {
    const own = new Set<Element>(elementsOf.call(form));
    const parts = insideComposed(form).filter((each) => isCustom(each) && (own.has(each) || isMarkedRequired(each)) && isShown(each));
    return (parts.length > mostParts || parts.some(isUnseen)) && !closest(form, searches);
  }

  function isUnseen(part: Element): boolean {
    const inside = insideComposed(part);
    if (dom.matches(part, "[type=submit], [type=button], [type=reset], [disabled]") || inside.some((each) => dom.matches(each, fieldSelector) && isUsable(each as Field))) return false;
    const isButton = inside.some((each) => dom.matches(each, "button")) && !inside.some((each) => dom.matches(each, "[role=combobox], [role=listbox], [aria-haspopup]"));
    return !isButton && !inside.some((each) => dom.matches(each, fieldSelector) && (each as Field).disabled);
  }

  function isCustom(element: Element): boolean {
    return dom.localName(element).includes("-") && dom.matches(element, ":defined");
  }

  function forms(): HTMLFormElement[] {
    return dom.roots().flatMap((root) => [...root.querySelectorAll("form")]);
  }

  function formOf(control: Element): HTMLFormElement | null {
    return (control as Partial<Field>).form ?? once("form", control, () => closest(control, "form") as HTMLFormElement | null);
  }

  /** Closest element in the composed tree, with the element itself. */
  function closest(element: Element, selector: string): Element | null {
    for (let at: Element | null = element; at; at = dom.composedParent(at)) if (dom.matches(at, selector)) return at;
    return null;
  }

  function insideComposed(element: Element): Element[] {
    return once("inside", element, () => (hasComponents(element) ? collectComposed(element) : dom.inside(element, "*")));
  }

  function collectComposed(element: Element): Element[] {
    const found: Element[] = [];
    // Without recursion: a document can be very deep.
    const left = partsOf(element).reverse();
    for (let part = left.pop(); part; part = left.pop()) {
      found.push(part);
      for (const inner of partsOf(part).reverse()) left.push(inner);
    }
    return found;
  }

  /** May elements in this one be in another tree? */
  function hasComponents(element: Element): boolean {
    return once("components", element, () => [element, ...dom.inside(element, "*")].some((each) => dom.shadow(each) !== null || each instanceof HTMLSlotElement));
  }

  /** Children in the composed tree. */
  function partsOf(element: Element): Element[] {
    const assigned = element instanceof HTMLSlotElement ? element.assignedElements() : [];
    const root = dom.shadow(element);
    return assigned.length > 0 ? assigned : root ? [...root.children] : dom.children(element);
  }

  function hostsOf(control: Element): Element[] {
    return once("hosts", control, () => findHosts(control));
  }

  function findHosts(control: Element): Element[] {
    const form = formOf(control);
    const outermost = form ? dom.root(form) : document;
    const controls = dom.matches(control, fieldSelector) ? fieldSelector : `button, ${fieldSelector}`;
    const isOther = (each: Element) => each !== control && dom.matches(each, controls) && isShown(each) && !isSameChoice(control, each);
    const hosts: Element[] = [];
    for (let root = dom.root(control); root instanceof ShadowRoot && root !== outermost && hosts.length < mostHosts; root = dom.root(root.host)) {
      if (insideComposed(root.host).some(isOther)) break;
      hosts.push(root.host);
    }
    return hosts;
  }

  function isMarkedRequired(element: Element): boolean {
    return dom.attribute(element, "aria-required") === "true" || (dom.attribute(element, "required") ?? "false") !== "false";
  }

  function isUsable(field: Field): boolean {
    return !field.disabled && !(field as HTMLInputElement).readOnly && isShown(field);
  }

  function isWorthTrying(form: HTMLFormElement): boolean {
    return inOnePass(() => canBeTried(form));
  }

  function canBeTried(form: HTMLFormElement): boolean {
    const fields = fieldsOf(form);
    return submitOf(form) !== undefined && fields.some((field) => isEmpty(field) && (isMissing(field) || !field.matches(choices))) && !isSearch(form, fields);
  }

  /** Is the form a search? Without words, a search finds nothing or everything; neither is an error. */
  function isSearch(form: HTMLFormElement, fields: Field[]): boolean {
    if (closest(form, searches) || fields.some(({ type }) => type === "search")) return true;
    const typed = fields.filter((field) => !field.matches(choices));
    const [only] = typed;
    if (!only || typed.length > 1 || isMissing(only)) return false;
    const button = submitOf(form);
    const words = [labelOf(only), only.getAttribute("placeholder"), button && dom.text(hostsOf(button).at(-1) ?? button)].join(" ");
    return /^(q|s|query|keywords?|term)$|search|suche|such/i.test(namesOf(only)[0] ?? "") || /\b(search|such)/i.test(words);
  }

  function fieldsOf(form: HTMLFormElement): Field[] {
    return once("fields", form, () => findFields(form));
  }

  function findFields(form: HTMLFormElement): Field[] {
    const isField = (each: Element): each is Field => dom.matches(each, fieldSelector);
    const inside = hasComponents(form) ? insideComposed(form).filter(isField).filter((field) => formOf(field) === form) : [];
    return [...new Set([...inside, ...[...elementsOf.call(form)].filter(isField)])].slice(0, mostFields).filter(isUsable);
  }

  function submitOf(form: HTMLFormElement): HTMLElement | undefined {
    return once("submit", form, () => findSubmit(form));
  }

  function findSubmit(form: HTMLFormElement): HTMLElement | undefined {
    const buttons = [...elementsOf.call(form)].filter((each) => /^(button|input)$/.test(each.localName) && (each as HTMLButtonElement).type === "submit");
    const all = [...buttons, ...(hasComponents(form) ? componentButtons(form) : [])];
    const isInUse = (each: Element) => each.getAttribute("aria-disabled") !== "true" && !each.hasAttribute("disabled");
    const usable = all.filter((button) => !(button as HTMLButtonElement).disabled && [button, ...hostsOf(button)].every(isInUse) && isShown(button));
    return (usable.find((button) => !button.hasAttribute("formnovalidate")) ?? usable[0]) as HTMLElement | undefined;
  }

  /** Buttons of web components that say that they submit the form; else the only button of a component that belongs to the form. */
  function componentButtons(form: HTMLFormElement): Element[] {
    const own = new Set<Element>(elementsOf.call(form));
    const inside = insideComposed(form).filter((each) => dom.matches(each, "button, input[type=submit]") && !(each as HTMLButtonElement).form && formOf(each) === form);
    const typeOf = (button: Element) => [button, ...hostsOf(button)].map((each) => dom.attribute(each, "type")).find((type) => /^(submit|button|reset)$/.test(type ?? ""));
    const named = inside.filter((button) => [button, ...hostsOf(button)].some((each) => dom.attribute(each, "type") === "submit"));
    const unnamed = inside.filter((button) => typeOf(button) === undefined && hostsOf(button).some((host) => own.has(host)));
    return named.length > 0 ? named : unnamed.length === 1 ? unnamed : [];
  }

  function isShown(element: Element): boolean {
    const { width, height } = dom.box(element);
    return width >= 1 && height >= 1 && dom.isShown(element, { visibilityProperty: true });
  }

  function isEmpty(field: Field): boolean {
    if (field instanceof HTMLInputElement && field.type === "radio") return !hasChoice(field);
    return field.matches("[type=checkbox]") ? !(field as HTMLInputElement).checked : field.value.trim() === "";
  }

  /** Is a radio button, or another one of its group, checked? */
  function hasChoice(radio: HTMLInputElement): boolean {
    const form = formOf(radio);
    if (radio.checked || !radio.name || !form) return radio.checked;
    return once("chosen", form, () => chosenNames(form)).has(radio.name);
  }

  function chosenNames(form: HTMLFormElement): Set<string> {
    const checked = [...elementsOf.call(form), ...fieldsOf(form)].filter((each): each is HTMLInputElement => each instanceof HTMLInputElement && each.type === "radio" && each.checked);
    return new Set(checked.map(({ name }) => name));
  }

  function isMissing(field: Field): boolean {
    const group = closest(field, "[role=radiogroup]");
    const isRequired = field.required || [field, ...hostsOf(field), ...(group ? [group] : [])].some(isMarkedRequired) || requiredWords.test(labelOf(field));
    return isRequired && isEmpty(field);
  }

  function labelOf(field: Field): string {
    const named = hostsOf(field).flatMap((host) => ["label", "aria-label"].map((attribute) => dom.attribute(host, attribute)));
    return [...labelsOf(field).map((each) => dom.text(each)), field.getAttribute("aria-label"), ...named].join(" ").trim();
  }

  function labelsOf(field: Field): Element[] {
    return [...new Set([field, ...hostsOf(field)].flatMap((each) => dom.labels(each)))];
  }

  function namesOf(field: Field): string[] {
    return [field.name, ...hostsOf(field).map((host) => dom.attribute(host, "name") ?? ""), field.id, ...hostsOf(field).map((host) => dom.attribute(host, "id") ?? "")].filter(Boolean);
  }

  function buttonWords(button: HTMLElement): string {
    const parts = [button, ...hostsOf(button)];
    return [...parts.map((each) => dom.text(each)), (button as HTMLInputElement).value, ...parts.flatMap((each) => [dom.attribute(each, "aria-label"), dom.attribute(each, "name")])].join(" ");
  }

  function boxesOf(field: Field): Element[] {
    const most = 4;
    const form = formOf(field);
    const outermost = form ? dom.root(form) : document;
    const controls = `button, input[type=submit], ${fieldSelector}`;
    const hosts = hostsOf(field);
    // The button of a web component may empty its field.
    const isOwnPart = (each: Element) => each === field || isSameChoice(field, each) || (dom.matches(each, "button") && hosts.some((host) => dom.holds(host, each)));
    const isOther = (each: Element) => isShown(each) && !isOwnPart(each);
    const isShared = (box: Element) => dom.inside(box, controls).some(isOther) || (hasComponents(box) && insideComposed(box).some((each) => dom.matches(each, controls) && isOther(each)));
    const boxes: Element[] = [field];
    // A web component wraps its field in many boxes.
    for (let [box, count] = [dom.composedParent(field), 1]; box && box !== form && count < most; box = dom.composedParent(box)) {
      if (isShared(box)) break;
      boxes.push(box);
      if (dom.root(box) === outermost) count += 1;
    }
    return boxes;
  }

  function isSameChoice(field: Element, other: Element): boolean {
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
    const group = closest(field, "[role=radiogroup]");
    return [field, ...hostsOf(field), ...(group ? [group] : [])].some((each) => /^(true|grammar|spelling)$/.test(dom.attribute(each, "aria-invalid") ?? ""));
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
