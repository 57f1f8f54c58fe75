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
    openings: new Map(),
    gone: new Map(),
    around: [],
    stops: [],
    present: new Set(),
    shown: new Set(),
    news: [],
    appeared: [],
    modals,
  };
  const globals = globalThis as unknown as OpeningGlobals;
  globals.rampeOpenings = state;
  const { rampeDom: dom } = globals;

  const says =
    ":is(button, a, input, summary, [role=button], [role=link], [role=menuitem], [role=tab], [role=combobox]):is([aria-expanded=false], [aria-haspopup]:not([aria-haspopup=false], [aria-expanded=true])), [popovertarget], [commandfor], details:not([open]) > summary, [role=tab][aria-selected=false]";
  // Buttons for anything. Those of forms send them.
  const may = "button:not([type=submit], [type=reset], [aria-pressed], [aria-expanded], form button), [role=button]:not(a[href], [aria-pressed], [aria-expanded], form *)";
  const shown = globals.rampeSight.look();
  const usable = (selector: string) => all(document, selector).filter((control) => isUsable(control, shown));
  const promising = usable(says);
  const others = usable(may).filter((control) => !promising.includes(control));
  const counts = new Map<string, number>();
  for (const control of [...promising, ...others.slice(0, most / 2)]) {
    const { localName, className } = control;
    const around = dom.parent(control);
    const kind = `${localName} ${String(className)} ${control.getAttribute("role")} ${around && `${dom.localName(around)} ${dom.attribute(around, "class") ?? ""}`}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (state.controls.length < most && (counts.get(kind) ?? 0) <= mostAlike) state.controls.push(control);
  }
  const kept = new Set(state.controls);
  return { kept: kept.size, all: promising.length + others.filter((control) => kept.has(control)).length };

  function all(root: Document | ShadowRoot, selector: string): HTMLElement[] {
    const inner = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot instanceof ShadowRoot ? all(shadowRoot, selector) : []));
    return [...root.querySelectorAll<HTMLElement>(selector), ...inner];
  }

  function isUsable(control: HTMLElement, shown: Set<Element>): boolean {
    const isShown = shown.has(control) || [...control.querySelectorAll("*")].some((each) => shown.has(each));
    return isShown && !control.matches(":disabled, [aria-disabled=true], [type=file], [aria-hidden=true] *, [inert] *");
  }

  function modals(control: Element): Element[] {
    const modal = "[aria-modal=true], dialog:modal";
    const around = new Set(state.news.flatMap((element) => dom.closest(element, modal) ?? []));
    return [...around].filter((each) => !dom.contains(each, control) && !dom.inside(each, "*").some((part) => state.shown.has(part)));
  }
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
  state.news = state.appeared = [];
  state.around = around(control);
  state.stops = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, iframe, [tabindex]")].filter((each) => each.tabIndex >= 0 && dom.isShown(each, { visibilityProperty: true }) && !dom.matches(each, ":disabled"));
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

/** @returns a point of the window at which a pointer hits the control; undefined if something covers it */
export function pointOf(index: number): { x: number; y: number } | undefined {
  const control = (globalThis as unknown as OpeningGlobals).rampeOpenings?.controls[index];
  const box = control?.getBoundingClientRect();
  if (!control || !box) return undefined;
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = (control.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
  return hit && (control === hit || control.contains(hit)) ? { x, y } : undefined;
}
