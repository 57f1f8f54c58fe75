/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { OpeningGlobals } from "./opening-log";

/** A control that is about to be used. */
export interface ReadyControl {
  /** Accessible name; "" for none. */
  name: string;
  /** The markup says that the control opens something. */
  promises: boolean;
  /** An arrow key may open the control. */
  hasPopup: boolean;
  /** Only a pointer can use the control (`addBareOpeners`). */
  isBare: boolean;
}

/**
 * Finds controls that may open something. Needs `defineSight`.
 * @param most maximum number of controls
 * @param mostAlike maximum number of controls of one kind
 * @param areUnusual only controls that are not visible in the usual condition (`rememberShown`)
 * @returns number of kept controls, and number of all
 */
export function findControls(most: number, mostAlike: number, areUnusual = false): { kept: number; all: number } {
  const state: NonNullable<OpeningGlobals["rampeOpenings"]> = {
    controls: [],
    outer: new Map(),
    bare: new Set(),
    openings: new Map(),
    gone: new Map(),
    around: [],
    stops: [],
    present: new Set(),
    shown: new Set(),
    news: [],
    appeared: [],
    dialogs: [],
    isUsual,
    isMenuButton,
    wordsOf,
    visited: [],
    promising,
    modals,
    restore,
    forms: [],
    formsBefore: new Set(),
    closers: new Set(),
  };
  const globals = globalThis as unknown as OpeningGlobals;
  globals.rampeOpenings = state;
  const { rampeDom: dom } = globals;
  const usual = areUnusual ? globals.rampeShown?.usual : undefined;

  const says =
    ":is(button, a, input, summary, [role=button], [role=link], [role=menuitem], [role=tab], [role=combobox]):is([aria-expanded=false], [aria-haspopup]:not([aria-haspopup=false], [aria-expanded=true])), [popovertarget], [commandfor], details:not([open]) > summary, [role=tab][aria-selected=false]";
  // Buttons of any purpose. Buttons of forms send the form.
  const may = "button:not([type=submit], [type=reset], [aria-pressed], [aria-expanded], form button), [role=button]:not(a[href], [aria-pressed], [aria-expanded], form *)";
  // Menus of narrow windows often have a link or a label as their button.
  const mayBeMenu = "a:is([href^='#'], [href^='javascript:']):not([role], [aria-expanded]), label[for], [tabindex='0']:not(a, button, input, select, textarea, [role], form *)";
  const shown = globals.rampeSight.look();
  const said = promising(document, shown);
  const unsaid = [...(areUnusual ? all(document, mayBeMenu).filter(isMenuButton) : []), ...all(document, may)];
  // An answer takes away what is beside it, such as the settings of a banner.
  const others = unsaid.filter((control) => isUsable(control, shown) && !said.includes(control)).sort((one, other) => Number(mayAnswer(one)) - Number(mayAnswer(other)));
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

  function mayAnswer(control: Element): boolean {
    const words = `${dom.text(control)} ${dom.attribute(control, "aria-label") ?? ""}`;
    return /(?<!\p{L})(accept|agree|allow|reject|decline|deny|dismiss|close|got it|ok(ay)?|akzeptieren|annehmen|zustimmen|erlauben|ablehnen|verweigern|verstanden|schlie(ß|ss)en)(?!\p{L})|^\s*[x×✕✖✗]\s*$/iu.test(words);
  }

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
    return isShown && !isUsual(control) && !control.matches(":disabled, [aria-disabled=true], [type=file], [aria-hidden=true] *, [inert] *");
  }

  function isUsual(element: Element): boolean {
    return usual !== undefined && (usual.has(element) || dom.inside(element, "*").some((each) => usual.has(each)));
  }

  function isMenuButton(control: Element): boolean {
    const words = ["class", "id", "aria-label", "title", "aria-controls"].map((name) => dom.attribute(control, name) ?? "");
    return usual !== undefined && /men(u|ü)|burger|(^|[-_ ])nav(bar|igation)?([-_ ]|$)/i.test([...words, dom.text(control)].join(" "));
  }

  function wordsOf(control: Element): string {
    return `${dom.attribute(control, "aria-label") ?? ""} ${dom.text(control)}`;
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
 * Finds controls that may open something, inside of the opened content of a control; they are used later.
 * @param most maximum number of controls
 * @returns number of kept controls, and number of all
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
 * Keeps the first observations about the outer control, before it is opened again.
 * @returns index of the outer control; -1 for none
 */
export function beginOuter(index: number): number {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  const outer = control && state.outer.get(control);
  if (!state || !outer) return -1;
  state.known = state.openings.get(outer);
  return state.controls.indexOf(outer);
}

/** Keeps the opened content of the outer control, while an inner control is used. */
export function keepOuter(): void {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  if (state) state.open = { shown: state.shown, news: state.news, appeared: state.appeared, dialogs: state.dialogs };
}

/** Restores the state of the outer control, before it is closed. */
export function returnToOuter(): void {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  if (state?.open) Object.assign(state, state.open);
}

/** Restores the first observations about the outer control, after it was closed. */
export function endOuter(index: number): void {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  const outer = state?.controls[index];
  if (state && outer) state.restore(outer);
}

/** Scrolls to a control before its use, so that content shown by scrolling does not count as opened. @returns whether it has moved */
export function scrollToControl(index: number): boolean {
  const { rampeOpenings, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = rampeOpenings?.controls[index];
  if (!control?.isConnected) return false;
  const before = dom.box(control);
  control.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top } = dom.box(control);
  return left !== before.left || top !== before.top;
}

/**
 * Prepares a control for use, and keeps the visible content of the page.
 * @returns "open" if its content is shown already; "gone" if it can no longer be used
 */
export function readyControl(index: number): ReadyControl | "open" | "gone" {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  if (!state || !control?.isConnected || !control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return "gone";
  if (control.matches("[aria-expanded=true], [aria-selected=true], details[open] > summary")) return "open";
  if (control.matches(":disabled, [aria-disabled=true]")) return "gone";
  state.present = new Set([...document.querySelectorAll("*")].filter((element) => sight.hasOwnContent(element)));
  state.shown = sight.look();
  state.news = state.appeared = state.dialogs = [];
  state.around = around(control);
  state.stops = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, iframe, [tabindex]")].filter((each) => each.tabIndex >= 0 && dom.isShown(each, { visibilityProperty: true }) && !dom.matches(each, ":disabled, [inert], [inert] *"));
  state.openings.set(control, { hadFocus: false, expanded: [control.getAttribute("aria-expanded"), null], words: state.wordsOf(control), isModal: false, focus: "elsewhere", ...(isItem(control) ? { isItem: true } : {}), ...(state.bare.has(control) ? { isBare: true } : {}) });
  const popup = control.getAttribute("aria-haspopup");
  return {
    name: nameOf(control) || (state.bare.has(control) ? sourceOf(control) : ""),
    promises: control.matches("[aria-expanded], [aria-haspopup], [popovertarget], [commandfor], summary, [role=tab]") || state.isMenuButton(control),
    hasPopup: (popup !== null && popup !== "false") || control.matches("[role=combobox], [role=menuitem]"),
    isBare: state.bare.has(control),
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

  /** Words for an element without a name, such as `div.burger`: nothing else tells people where it is. */
  function sourceOf(element: Element): string {
    const [first] = (dom.attribute(element, "class") ?? "").split(/\s+/).filter(Boolean);
    const id = dom.attribute(element, "id");
    const longest = 60;
    return `${dom.localName(element)}${id ? `#${id}` : first ? `.${first}` : ""}`.slice(0, longest);
  }

  /** Visible or accessible name; axe-core's names would need a run of axe-core. */
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
 * Focuses the next button of an open modal dialog whose name says that it closes.
 * @param isFirst no button was tried before
 * @returns undefined if there is none; `answers`: it may do more than close
 */
export function focusCloser(index: number, isFirst: boolean): "closes" | "answers" | undefined {
  const { rampeOpenings: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  if (!state || !control) return undefined;
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
  if (!closer) return undefined;
  state.closers.add(closer);
  dom.focus(closer, { preventScroll: true });
  if (!dom.matches(closer, ":focus")) return undefined;
  return closes(closer) ? "closes" : "answers";
}

/** @returns a point of the window at which a pointer hits something in the opened content that closes it; undefined if nothing is named like that */
export function pointOfCloser(): { x: number; y: number } | undefined {
  const { rampeOpenings: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const closing = /(?<!\p{L})(close|schlie(ß|ss)en)(?!\p{L})|^\s*[x×✕✖✗]\s*$/iu;
  const candidates = (state?.appeared ?? []).flatMap((root) => [root, ...dom.inside(root, "button, a, span, div, svg, i, img, [role=button]")]);
  for (const each of candidates) {
    const words = [...["aria-label", "title", "alt"].map((name) => dom.attribute(each, name) ?? ""), dom.text(each)];
    const isNamed = words.some((text) => closing.test(text)) || /(^|[-_\s])close([-_\s]|$)/i.test(`${dom.attribute(each, "class") ?? ""} ${dom.attribute(each, "id") ?? ""}`);
    const { left, top, width, height } = dom.box(each);
    const most = 120;
    if (!isNamed || width < 1 || height < 1 || width > most || height > most) continue;
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = (dom.root(each) as Document | ShadowRoot).elementFromPoint(x, y);
    if (hit && dom.contains(each, hit)) return { x, y };
  }
  return undefined;
}

/** Keeps that a further click on a control shows its content again. @returns whether it does */
export function noteAgain(index: number): boolean {
  const { rampeOpenings: state, rampeSight: sight } = globalThis as unknown as OpeningGlobals;
  const opening = state?.openings.get(state.controls[index] as Element);
  if (!state || !opening) return false;
  const now = sight.look();
  if (!state.news.some((element) => now.has(element))) return false;
  opening.isCaused = true;
  return true;
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
