/* The functions of this file run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { Field, FormFieldsGlobals } from "./form-fields";
import type { FormTextsGlobals, Texts } from "./form-texts";

/** A field of a form that a script refused to send, because the field was empty or wrong. */
export interface RefusedField {
  /** The field was required, by its markup or its label, and empty. */
  isMissing: boolean;
  /** The script set `aria-invalid`. */
  isInvalid: boolean;
  /** The script changed the colours of the field or of the box around it. */
  looksWrong: boolean;
  hasFocus: boolean;
  /** New text is shown since then: in the page, in a dialog of the browser, or in a field. */
  isTold: boolean;
  /** The browser may have shown a message of its own, which is not in the document. */
  mayBeTold: boolean;
  /** Other text, besides the label, was already beside the field. */
  hasOtherText: boolean;
  /** Several fields look wrong, and no new text is beside this one or has the words of its label. */
  isUnnamed?: true;
}

/** A text that is shown since a script refused to send a form. */
export interface FormMessage {
  text: string;
  /** The message is beside an empty required field, or beside one that looks wrong now; otherwise it may have another subject. */
  isBesideField: boolean;
  /** Assistive technology announces an error: by a live region, a dialog, or a move of the focus. */
  isTold: boolean;
  /** The field beside the message refers to it, or has `aria-invalid`; or the title of the page has changed. */
  isLinked: boolean;
  /** The focus has moved to the field beside the message, which neither refers to it nor has `aria-invalid`. */
  isApart: boolean;
  /** The first message of its kind in its form. */
  isFirst: boolean;
}

/** Effects outside of the page's own document. */
export interface SideEffects {
  /** The page tried to send or to load something. */
  hasSent: boolean;
  /** A dialog of the browser was shown. */
  hasDialog: boolean;
}

/**
 * `settled`: no second look is needed. `silent`: no error is shown so far, but a slow script may still show one. `unseen`: the same, but an
 * error may be in a frame or a closed shadow root. `unknown`: there was too much to examine.
 */
export type FormLook = "settled" | "silent" | "unseen" | "unknown";

export interface FormGlobals {
  rampeForms?: {
    /** Chooses the forms to try, those with required fields first. @returns number of kept forms, and number of all */
    find(most: number): { kept: number; all: number };
    /** Chooses among forms of the page, and forgets the earlier choice. */
    choose(most: number, isWanted: (form: HTMLFormElement) => boolean): HTMLFormElement[];
    /** Focuses the submit control of a form, and keeps the state of the page. @returns whether the form can be tried */
    prepare(index: number): boolean;
    /** Waits until the page has not changed for a moment. */
    rest(quietMs: number, mostMs: number): Promise<void>;
    /** Keeps the result of the form, instead of an earlier result. */
    note(sideEffects: SideEffects): FormLook;
    /** Does a script refuse the form that was submitted last? The form must be shown, and no longer busy. */
    isHeld(sideEffects: SideEffects): boolean;
    /** Forms that scripts have refused, each with the empty fields that were the reason. */
    refused(): { index: number; form: HTMLFormElement; wrong: Field[] }[];
    field(element: Element): RefusedField | undefined;
    message(element: Element): FormMessage | undefined;
  };
}

/** Needs `defineFormFields` and `defineFormTexts`. */
export function defineForms(): void {
  const { rampeFormFields, rampeFormTexts, rampeDom: dom } = globalThis as unknown as FormFieldsGlobals & FormTextsGlobals & DomGlobals;
  if (!rampeFormFields || !rampeFormTexts) throw new Error("No fields and texts of forms are defined.");
  const { inOnePass, forms: allForms, isWorthTrying, fieldsOf, formOf, submitOf, isShown, isEmpty, isMissing, labelOf, looksOf, looksOther, isInvalid, wordsOf } = rampeFormFields;
  const { isDrawn, shownTexts, freshTexts, drawnParts, closestTo, messageAround, fieldBeside, isReferredTo, hasTextBeside, isInOtherComponent, frameSizes, hasUnseenParts } = rampeFormTexts;
  const mostForms = 100;
  const longestText = 200;
  const errorWords = /\b(error|fehler|missing|fehlt|fehlen|required|mandatory|pflicht|invalid|ungültig|empty|leer|fill|ausfüll|enter|geben sie|please|bitte|must|müssen|problem)/i;
  const doneWords = /\b(thank|danke|success|erfolg|saved|gespeichert|sent|gesendet|versendet)/i;
  const liveSelector = "[role=alert], [role=status], [role=log], [role=alertdialog], [aria-live=polite], [aria-live=assertive], output";

  interface Before {
    form: HTMLFormElement;
    button: HTMLElement;
    fields: Map<Field, { isMissing: boolean; isInvalid: boolean; looks: string; words: string }>;
    texts: Texts;
    parts: string;
    frames: Map<Element, string>;
    title: string;
    /** Without a target in the event itself: the browser removes one in a shadow root afterwards. */
    events: { event: Event; target: EventTarget | undefined }[];
    forget(): void;
  }
  interface Result {
    fields: Map<Element, RefusedField>;
    messages: Map<Element, FormMessage>;
    /** Empty fields with a mark or a message of their own; if the only message is about the whole form, the missing fields. */
    wrong: Field[];
  }

  let forms: HTMLFormElement[] = [];
  let before: Before | undefined;
  const results = new Map<HTMLFormElement, Result>();

  (globalThis as FormGlobals).rampeForms = {
    find: (most) => inOnePass(() => find(most)),
    choose: (most, isWanted) => inOnePass(() => choose(most, isWanted)),
    prepare,
    rest,
    note: (sideEffects) => inOnePass(() => note(sideEffects)),
    isHeld,
    refused: () => forms.flatMap((form, index) => (results.has(form) ? [{ index, form, wrong: results.get(form)?.wrong ?? [] }] : [])),
    field: (element) => [...results.values()].map(({ fields }) => fields.get(element)).find(Boolean),
    message: (element) => [...results.values()].map(({ messages }) => messages.get(element)).find(Boolean),
  };

  function find(most: number): { kept: number; all: number } {
    const every = allForms();
    const worth = every.slice(0, mostForms).filter((form) => isWorthTrying(form) && !isInertAndHidden(form));
    const [withRequired, others] = [true, false].map((isRequired) => worth.filter((form) => fieldsOf(form).some(isMissing) === isRequired)) as [HTMLFormElement[], HTMLFormElement[]];
    forms = [...withRequired, ...others].slice(0, most);
    return { kept: forms.length, all: worth.length + Math.max(0, every.length - mostForms) };
  }

  function choose(most: number, isWanted: (form: HTMLFormElement) => boolean): HTMLFormElement[] {
    results.clear();
    forms = allForms().filter((form) => isWanted(form) && isWorthTrying(form)).slice(0, most);
    return forms;
  }

  /** Is the form inert and not drawn in the window, as in a closed side menu? */
  function isInertAndHidden(form: HTMLFormElement): boolean {
    const button = submitOf(form);
    return dom.closest(form, "[inert]") !== null && !(button && isDrawn(button) && dom.box(button).left < innerWidth);
  }

  function prepare(index: number): boolean {
    before?.forget();
    before = undefined;
    const form = forms[index];
    const button = form?.isConnected ? submitOf(form) : undefined;
    if (!form || !button) return false;
    button.focus();
    // A dialog may cover the control.
    if (dom.focused() !== button) return false;
    return inOnePass(() => remember(form, button));
  }

  function remember(form: HTMLFormElement, button: HTMLElement): boolean {
    const shown = shownTexts();
    if (!shown) return false;
    const events: Before["events"] = [];
    const keep = (event: Event) => {
      const [target] = event.composedPath();
      const isOfForm = event.composedPath().includes(form) || (target instanceof Element && formOf(target) === form);
      if (isOfForm && events.every((known) => known.event !== event)) events.push({ event, target });
    };
    const types = ["click", "invalid", "submit"];
    // Most events in a shadow root are not seen outside of it.
    const places = new Set<EventTarget>([globalThis, ...[form, button, ...fieldsOf(form)].map((each) => dom.root(each))]);
    for (const place of places) for (const type of types) place.addEventListener(type, keep, { capture: true, passive: true });
    before = {
      form,
      button,
      fields: new Map(fieldsOf(form).map((field) => [field, { isMissing: isMissing(field), isInvalid: isInvalid(field), looks: looksOf(field), words: wordsOf(field) }])),
      texts: shown,
      parts: drawnParts(form),
      frames: frameSizes(form),
      title: document.title,
      events,
      forget: () => {
        for (const place of places) for (const type of types) place.removeEventListener(type, keep, { capture: true });
      },
    };
    return true;
  }

  /** Waits with our own timers, which do not depend on those of the page. */
  async function rest(quietMs: number, mostMs: number): Promise<void> {
    const { pause } = globalThis as unknown as { pause(ms: number): Promise<unknown> };
    const end = performance.now() + mostMs;
    let changes = 0;
    const observer = new MutationObserver(() => (changes += 1));
    for (const root of dom.roots()) observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    for (let seen = -1; seen !== changes && performance.now() < end; ) {
      seen = changes;
      await pause(quietMs);
    }
    observer.disconnect();
  }

  function note(sideEffects: SideEffects): FormLook {
    if (!before) return "settled";
    const { form, button, fields, texts, title, events } = before;
    results.delete(form);
    if (!isHeld(sideEffects)) return "settled";
    const shown = shownTexts();
    if (!shown) return "unknown";
    const active = dom.focused();
    const fresh = freshTexts(shown, texts);
    const words = fresh.filter((node) => !closestTo(node, "button, [role=button], label > input, option"));
    const hasMoved = active !== undefined && active !== button;
    const isAnnounced = sideEffects.hasDialog || hasMoved || fresh.some((node) => closestTo(node, liveSelector) !== null);
    const after = [...fields.keys()].filter((field) => field.isConnected && !field.disabled);
    const hasOtherWords = after.some((field) => wordsOf(field) !== fields.get(field)?.words) || drawnParts(form) !== before.parts;
    const isTold = sideEffects.hasDialog || fresh.length > 0 || hasOtherWords;
    const mayBeUnseen = hasUnseenParts(form, before.frames);

    const isOfFocus = (target: EventTarget | undefined) => target instanceof Element && active !== undefined && dom.holds(target, active);
    const mayBeTold = events.some(({ event, target }) => event.type === "invalid" && !event.defaultPrevented && isOfFocus(target));

    const result: Result = { fields: new Map(), messages: new Map(), wrong: [] };
    const besideMessage = new Set<Field>();
    for (const field of after) {
      const was = fields.get(field);
      if (!was) continue;
      result.fields.set(field, {
        isMissing: was.isMissing && isEmpty(field),
        isInvalid: isInvalid(field) && !was.isInvalid,
        looksWrong: isEmpty(field) && looksOther(was.looks, looksOf(field)),
        hasFocus: active === field,
        isTold,
        mayBeTold,
        hasOtherText: hasTextBeside(field, shown),
      });
    }
    const isRefused = [...result.fields.values()].some(({ isMissing, isInvalid, looksWrong }) => isMissing || isInvalid || looksWrong);
    if (!isRefused) return "settled";
    // The words of an error may be where they cannot be read.
    if (!isTold && mayBeUnseen) return "unseen";
    for (const node of words) noteMessage(node, shown.get(node) ?? "");
    result.wrong = wrongFields();
    if (!sideEffects.hasDialog && !hasOtherWords && !mayBeUnseen) noteUnnamed();
    results.set(form, result);
    const isSilent = (isMarked: RefusedField) => (isMarked.isInvalid || isMarked.looksWrong) && !isMarked.isTold;
    return [...result.messages.values()].some((message) => !message.isTold) || [...result.fields.values()].some(isSilent) ? "silent" : "settled";

    function noteUnnamed(): void {
      const marked = after.filter((field) => result.fields.get(field)?.looksWrong);
      const plain = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, " ").trim().toLowerCase();
      const said = plain(fresh.map((node) => shown?.get(node) ?? "").join(" "));
      for (const field of marked.length > 1 ? marked : []) {
        const refused = result.fields.get(field);
        const label = plain(labelOf(field));
        if (!refused || refused.isInvalid || refused.hasOtherText || label === "" || besideMessage.has(field) || said.includes(label)) continue;
        refused.isUnnamed = true;
      }
    }

    function wrongFields(): Field[] {
      const emptyOnes = after.filter(isEmpty);
      const marked = emptyOnes.filter((field) => besideMessage.has(field) || result.fields.get(field)?.isInvalid || result.fields.get(field)?.looksWrong);
      const tellsError = [...result.messages.values()].some(({ text }) => errorWords.test(text) && !doneWords.test(text));
      return marked.length > 0 ? marked : tellsError ? emptyOnes.filter((field) => result.fields.get(field)?.isMissing) : [];
    }

    function noteMessage(node: Text, text: string): void {
      const element = messageAround(node, texts);
      // Changes outside of the form have other reasons, such as a ticker.
      if (!element || !/\p{L}{2}/u.test(text) || !isDrawn(element) || !dom.holds(dom.composedParent(form) ?? form, element)) return;
      const known = result.messages.get(element);
      if (known) {
        known.text = `${known.text} ${text}`.slice(0, longestText);
        return;
      }
      const field = fieldBeside(element, after, form);
      const refused = field && result.fields.get(field);
      const isBesideField = refused !== undefined && (refused.isMissing || refused.isInvalid || refused.looksWrong);
      if (field && isBesideField) besideMessage.add(field);
      const isReferred = after.some((each) => isReferredTo(each, element));
      const isLinked = isReferred || (field !== undefined && (isInvalid(field) || isInOtherComponent(element, field)));
      const isLive = closestTo(node, liveSelector) !== null;
      const message: FormMessage = {
        text: text.slice(0, longestText),
        isBesideField,
        isTold: isAnnounced,
        isLinked: isLinked || document.title !== title,
        isApart: isBesideField && active === field && !isLinked && !isLive && !sideEffects.hasDialog,
        isFirst: false,
      };
      const isAlike = (other: FormMessage) => other.isBesideField === message.isBesideField && other.isLinked === message.isLinked && other.isApart === message.isApart;
      message.isFirst = ![...result.messages.values()].some(isAlike);
      result.messages.set(element, message);
    }
  }

  function isHeld(sideEffects: SideEffects): boolean {
    if (!before) return false;
    const { form, button, events } = before;
    if (sideEffects.hasSent || !isHeldByScript(events) || !form.isConnected || !isShown(form)) return false;
    return button.isConnected && !(button as HTMLButtonElement).disabled && button.getAttribute("aria-busy") !== "true";
  }

  /** The form was not sent, and not refused by the browser itself. */
  function isHeldByScript(all: Before["events"]): boolean {
    const events = all.map(({ event }) => event);
    const of = (kind: string) => events.filter(({ type }) => type === kind);
    const [submits, invalids, clicks] = [of("submit"), of("invalid"), of("click")];
    if (submits.length > 0) return submits.every(({ defaultPrevented }) => defaultPrevented);
    if (invalids.length > 0) return invalids.every(({ defaultPrevented }) => defaultPrevented);
    return clicks.length > 0 && clicks.some(({ defaultPrevented }) => defaultPrevented);
  }
}

/** Defines the log of forms. @returns number of forms to try, and number of all suitable forms */
export function findForms(most: number): { kept: number; all: number } {
  const { rampeForms } = globalThis as FormGlobals;
  if (!rampeForms) throw new Error("No forms are defined.");
  return rampeForms.find(most);
}

export function prepareForm(index: number): boolean {
  return (globalThis as FormGlobals).rampeForms?.prepare(index) ?? false;
}

export async function restAfterForm(quietMs: number, mostMs: number): Promise<void> {
  await (globalThis as FormGlobals).rampeForms?.rest(quietMs, mostMs);
}

export function noteForm(sideEffects: SideEffects): FormLook {
  return (globalThis as FormGlobals).rampeForms?.note(sideEffects) ?? "unknown";
}
