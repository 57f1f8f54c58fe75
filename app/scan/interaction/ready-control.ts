/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { OpeningGlobals } from "./opening-log";

/** A control that is about to be used. */
export interface ReadyControl {
  /** Accessible name; "" for none. */
  name: string;
  /** It says itself that it opens something. */
  promises: boolean;
  /** It may be opened by an arrow key. */
  hasPopup: boolean;
}

/**
 * Looks for controls that may open something. Needs `defineSight`.
 * @param most of them
 * @param mostAlike controls of the same kind
 * @returns how many are kept, and how many there are
 */
export function findControls(most: number, mostAlike: number): { kept: number; all: number } {
  const state: NonNullable<OpeningGlobals["rampeOpenings"]> = {
    controls: [],
    outer: new Map(),
    openings: new Map(),
    gone: new Map(),
    around: [],
    stops: [],
    present: new Set(),
    shown: new Set(),
    news: [],
    appeared: [],
    dialogs: [],
    promising,
    modals,
    restore,
    closers: new Set(),
  };
  const globals = globalThis as unknown as OpeningGlobals;
  globals.rampeOpenings = state;
  const { rampeDom: dom } = globals;

  const says =
    ":is(button, a, input, summary, [role=button], [role=link], [role=menuitem], [role=tab], [role=combobox]):is([aria-expanded=false], [aria-haspopup]:not([aria-haspopup=false], [aria-expanded=true])), [popovertarget], [commandfor], details:not([open]) > summary, [role=tab][aria-selected=false]";
  // Buttons for anything. Those of forms send them.
  const may = "button:not([type=submit], [type=reset], [aria-pressed], [aria-expanded], form button), [role=button]:not(a[href], [aria-pressed], [aria-expanded], form *)";
  const shown = globals.rampeSight.look();
  const said = promising(document, shown);
  const others = all(document, may).filter((control) => isUsable(control, shown) && !said.includes(control));
  const counts = new Map<string, number>();
  for (const control of [...said, ...others.slice(0, most / 2)]) {
    const { localName, className } = control;
    const around = dom.parent(control);
    const kind = `${localName} ${String(className)} ${control.getAttribute("role")} ${around && `${dom.localName(around)} ${dom.attribute(around, "class") ?? ""}`}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (state.controls.length < most && (counts.get(kind) ?? 0) <= mostAlike) state.controls.push(control);
  }
  const kept = new Set(state.controls);
  return { kept: kept.size, all: said.length + others.filter((control) => kept.has(control)).length };

  function promising(root: Document | Element, shown: Set<Element>): HTMLElement[] {
    return all(root, says).filter((control) => isUsable(control, shown));
  }

  function all(root: Document | Element | ShadowRoot, selector: string): HTMLElement[] {
    const inElement = (outer: Element, part: string) => [...(dom.matches(outer, part) ? [outer as HTMLElement] : []), ...dom.inside(outer, part)];
    const inRoot = (part: string) => (root instanceof Element ? inElement(root, part) : [...root.querySelectorAll<HTMLElement>(part)]);
    const inner = inRoot("*").flatMap(({ shadowRoot }) => (shadowRoot instanceof ShadowRoot ? all(shadowRoot, selector) : []));
    return [...inRoot(selector), ...inner];
  }

  function isUsable(control: HTMLElement, shown: Set<Element>): boolean {
    const isShown = shown.has(control) || [...control.querySelectorAll("*")].some((each) => shown.has(each));
    return isShown && !control.matches(":disabled, [aria-disabled=true], [type=file], [aria-hidden=true] *, [inert] *");
  }

  function restore(outer: Element): void {
    if (state.known) state.openings.set(outer, state.known);
    else state.openings.delete(outer);
  }

  function modals(control: Element): Element[] {
    const modal = "[aria-modal=true], dialog:modal";
    const around = new Set(state.news.flatMap((element) => dom.closest(element, modal) ?? []));
    return [...around].filter((each) => !dom.contains(each, control) && !dom.inside(each, "*").some((part) => state.shown.has(part)));
  }
}

/**
 * Looks for controls that may open something inside of what a control has opened; they are used later.
 * @param most of them
 * @returns how many are kept, and how many there are
 */
export function findInside(index: number, most: number): { kept: number; all: number } {
  const { rampeOpenings: state, rampeSight: sight } = globalThis as unknown as OpeningGlobals;
  const outer = state?.controls[index];
  if (!state || !outer) return { kept: 0, all: 0 };
  const shown = sight.look();
  const found = new Set(state.appeared.flatMap((root) => state.promising(root, shown)));
  const fresh = [...found].filter((control) => !state.controls.includes(control) && !state.shown.has(control));
  const kept = fresh.slice(0, most);
  state.controls.push(...kept);
  for (const control of kept) state.outer.set(control, outer);
  return { kept: kept.length, all: fresh.length };
}

/**
 * Before the control around this one is opened again: keeps what is known of it.
 * @returns its index; -1 for none
 */
export function beginOuter(index: number): number {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  const outer = control && state.outer.get(control);
  if (!state || !outer) return -1;
  state.known = state.openings.get(outer);
  return state.controls.indexOf(outer);
}

/** After it was opened: keeps what it has opened, while a control inside is used. */
export function keepOuter(): void {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  if (state) state.open = { shown: state.shown, news: state.news, appeared: state.appeared, dialogs: state.dialogs };
}

/** Before it is closed. */
export function returnToOuter(): void {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  if (state?.open) Object.assign(state, state.open);
}

/** After it was closed: what was seen of it at first counts. */
export function endOuter(index: number): void {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  const outer = state?.controls[index];
  if (state && outer) state.restore(outer);
}

/** Before a control is used: what scrolling brings into view is not opened by it. */
export function scrollToControl(index: number): void {
  const control = (globalThis as unknown as OpeningGlobals).rampeOpenings?.controls[index];
  if (control?.isConnected) control.scrollIntoView({ block: "center", behavior: "instant" });
}

/**
 * Gets a control ready to be used, and keeps what can be seen.
 * @returns undefined if it cannot be used any more
 */
export function readyControl(index: number): ReadyControl | undefined {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  if (!state || !control?.isConnected || !control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return undefined;
  if (control.matches(":disabled, [aria-disabled=true], [aria-expanded=true], [aria-selected=true], details[open] > summary")) return undefined;
  state.present = new Set([...document.querySelectorAll("*")].filter((element) => sight.hasOwnContent(element)));
  state.shown = sight.look();
  state.news = state.appeared = state.dialogs = [];
  state.around = around(control);
  state.stops = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, iframe, [tabindex]")].filter((each) => each.tabIndex >= 0 && dom.isShown(each, { visibilityProperty: true }) && !dom.matches(each, ":disabled, [inert], [inert] *"));
  state.openings.set(control, { hadFocus: false, expanded: [control.getAttribute("aria-expanded"), null], isModal: false, focus: "elsewhere", ...(isItem(control) ? { isItem: true } : {}) });
  const popup = control.getAttribute("aria-haspopup");
  return {
    name: nameOf(control),
    promises: control.matches("[aria-expanded], [aria-haspopup], [popovertarget], [commandfor], summary, [role=tab]"),
    hasPopup: (popup !== null && popup !== "false") || control.matches("[role=combobox], [role=menuitem]"),
  };

  function isItem(element: HTMLElement): boolean {
    const widget = element.closest("[role=tablist], [role=menu], [role=menubar], [role=tree], [role=treegrid], [role=grid], [role=listbox], [role=radiogroup], [role=toolbar]");
    return element.tabIndex < 0 && state?.stops.some((stop) => widget?.contains(stop)) === true;
  }

  function around(element: Element): Element[] {
    const found: Element[] = [];
    for (let at = dom.parent(element); at; at = dom.parent(at)) found.push(at);
    return found;
  }

  function textOf(element: Element | null): string {
    return element ? dom.text(element) : "";
  }

  /** As people would call it; axe-core's names need a run of its own. */
  function nameOf(element: HTMLElement): string {
    const root = element.getRootNode() as Document | ShadowRoot;
    const labels = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => textOf(id ? root.getElementById(id) : null));
    const pictures = [...element.querySelectorAll("img[alt], svg[aria-label], svg title")].map((each) => each.getAttribute("alt") ?? each.getAttribute("aria-label") ?? each.textContent);
    const fields = element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((label) => label.innerText) : [];
    const texts = [labels.join(" "), element.getAttribute("aria-label"), element.innerText, pictures.join(" "), fields.join(" "), element.title];
    const longest = 100;
    return texts.map((text) => (text ?? "").replace(/\s+/g, " ").trim()).find(Boolean)?.slice(0, longest) ?? "";
  }
}

/** @returns whether the control has the focus now */
export function focusControl(index: number): boolean {
  const { rampeOpenings } = globalThis as unknown as OpeningGlobals;
  const control = rampeOpenings?.controls[index];
  control?.focus({ preventScroll: true });
  const hasFocus = control?.matches(":focus") ?? false;
  const opening = control && rampeOpenings?.openings.get(control);
  if (opening && hasFocus) opening.hadFocus = true;
  return hasFocus;
}

/**
 * Gives the focus to the next button of an open modal dialog that may close it by its name.
 * @param isFirst none was tried before
 * @returns whether there is one
 */
export function focusCloser(index: number, isFirst: boolean): boolean {
  const { rampeOpenings: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  if (!state || !control) return false;
  if (isFirst) state.closers = new Set();
  const closing = /(?<!\p{L})(close|schlie(ß|ss)en)(?!\p{L})|^[x×✕✖✗]$/iu;
  const answers = /cancel|abbrechen|dismiss|ablehnen|reject|decline|deny|akzeptieren|annehmen|accept|agree|zustimmen|verstanden|got it|^ok(ay)?$|^(yes|ja|no|nein|back|zurück|later|später|fertig|done)(?!\p{L})/iu;
  const namesOf = (button: HTMLElement) => [button.getAttribute("aria-label"), button.innerText, button.title, button.getAttribute("value")].map((text) => String(text ?? "").trim());
  const isNamed = (button: HTMLElement, names: RegExp) => namesOf(button).some((name) => names.test(name));
  const closes = (button: HTMLElement) => isNamed(button, closing) || dom.matches(button, "[command=close]") || /(^|[-_\s])close([-_\s]|$)/i.test(dom.attribute(button, "class") ?? "");
  // Other buttons of forms send them.
  const selector = "button:not(form *), button[type=button], form[method=dialog] button, [role=button], input[type=button]";
  const buttons = state.modals(control).flatMap((dialog) => dom.inside(dialog, selector));
  const usable = buttons.filter((button) => button.tabIndex >= 0 && dom.isShown(button, { visibilityProperty: true }) && !dom.matches(button, ":disabled") && !state.closers.has(button));
  const closer = usable.find(closes) ?? usable.find((button) => isNamed(button, answers) || dom.matches(button, "form[method=dialog] *"));
  if (!closer) return false;
  state.closers.add(closer);
  dom.focus(closer, { preventScroll: true });
  return dom.matches(closer, ":focus");
}

/** @returns a point of the window at which a pointer hits the control; undefined if something covers it */
export function pointOf(index: number): { x: number; y: number } | undefined {
  const control = (globalThis as unknown as OpeningGlobals).rampeOpenings?.controls[index];
  const box = control?.getBoundingClientRect();
  if (!control || !box) return undefined;
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = (control.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
  return hit && (control === hit || control.contains(hit)) ? { x, y } : undefined;
}
