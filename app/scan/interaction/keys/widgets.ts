/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { AnalyserGlobals } from "~/scan/rules/analyser";
import type { OpeningGlobals } from "~/scan/interaction/opening/opening-log";
import type { Effect } from "./effects";
import type { ITEMS_OF_ROLE } from "./items-of-role";
import type { KeysGlobals, KeyTrials, Widget } from "./trials";

export interface ReadyWidget extends Pick<Widget, "kind" | "role"> {
  /** The items are shown only after the widget was opened. */
  opensFirst: boolean;
}

interface Point {
  x: number;
  y: number;
}

/**
 * Finds widgets whose roles promise keys.
 * @param wanted kinds
 * @param most maximum number of widgets
 * @param mostAlike maximum number of one kind
 * @returns number of kept widgets, number of further ones, and their kinds
 */
export function findWidgets(wanted: Widget["kind"][], most: number, mostAlike: number): { kept: number; more: number; kinds: Widget["kind"][] } {
  const mostSeen = 2_000;
  const counts = new Map<string, number>();
  const state: NonNullable<KeysGlobals["rampeKeys"]> = { widgets: [], skipLinks: [], choices: [], trials: new Map(), initialCount: 0, initialElements: new Set(), counts, untriedKinds: new Set(), usableIn, admit, isSteered };
  const globals = globalThis as unknown as KeysGlobals;
  globals.rampeKeys = state;
  const { rampeDom: dom } = globals;
  const native = "button, a[href], area[href], input, select, textarea, summary, option, [contenteditable]:not([contenteditable=false])";
  const kinds: [Widget["kind"], string][] = [
    ["items", "[role=tablist], [role=menu], [role=menubar], [role=listbox], [role=radiogroup], [role=tree], [role=treegrid], [role=grid], [role=toolbar], [role=combobox]:not(select, [list])"],
    ["value", `:is([role=slider], [role=spinbutton])[aria-valuenow]:not(${native}, [tabindex^='-'], [aria-readonly=true])`],
    // Buttons and links in forms submit the form.
    ["activation", `:is([role=button], [role=link], [role=checkbox], [role=switch])[tabindex]:not(${native}, [tabindex^='-'], form [role=button], form [role=link])`],
  ];
  let seen = 0;
  const usable = usableIn(document);
  const few = usable.filter(admit);
  state.widgets = few.slice(0, most);
  state.initialCount = state.widgets.length;
  state.initialElements = new Set(usable.map(({ element }) => element));
  // Beyond the limit, the kinds are unknown.
  const isCut = seen > mostSeen;
  return { kept: state.initialCount, more: few.length - state.initialCount + Number(isCut), kinds: isCut ? wanted : [...new Set(usable.map(({ kind }) => kind))] };

  function usableIn(root: Document | Element): Widget[] {
    const found: Widget[] = [];
    seen = 0;
    for (const [kind, selector] of kinds.filter(([each]) => wanted.includes(each))) {
      for (const element of all(root, selector)) {
        seen += 1;
        if (seen > mostSeen) return found;
        if (isUsable(element, kind)) found.push({ element, kind, role: element.getAttribute("role") ?? "", items: [] });
      }
    }
    return found;
  }

  function admit({ element, role }: Widget): boolean {
    const around = dom.parent(element);
    const alike = `${role} ${element.localName} ${String(element.className)} ${around && `${dom.localName(around)} ${dom.attribute(around, "class") ?? ""}`}`;
    const count = (counts.get(alike) ?? 0) + 1;
    counts.set(alike, count);
    return count <= mostAlike;
  }

  function isSteered({ id }: Element): boolean {
    return id !== "" && [...document.querySelectorAll("[aria-controls], [aria-owns]")].some((each) => `${each.getAttribute("aria-controls")} ${each.getAttribute("aria-owns")}`.split(" ").includes(id) && each.matches("[role=combobox], [role=searchbox], input, textarea"));
  }

  function all(root: Document | Element | ShadowRoot, selector: string): HTMLElement[] {
    const inRoot = (part: string) => (root instanceof Element ? [...(dom.matches(root, part) ? [root as HTMLElement] : []), ...dom.inside(root, part)] : [...root.querySelectorAll<HTMLElement>(part)]);
    const inner = inRoot("*").flatMap(({ shadowRoot }) => (shadowRoot instanceof ShadowRoot ? all(shadowRoot, selector) : []));
    return [...inRoot(selector), ...inner];
  }

  function isUsable(element: HTMLElement, kind: Widget["kind"]): boolean {
    if (!(element instanceof HTMLElement) || element instanceof HTMLFormElement || element.matches(":disabled, [aria-disabled=true], [aria-disabled=true] *, [aria-hidden=true], [aria-hidden=true] *, [inert], [inert] *")) return false;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    // A control inside may be the actual one.
    return kind !== "activation" || !element.querySelector("a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]");
  }
}

/**
 * Scrolls to a widget, finds its items, and lets the page come to rest. Needs `defineEffects`.
 * @param items `ITEMS_OF_ROLE`
 * @returns "needless" if no key needs to be tried; "unreached" if it is gone, or behind other content; "closed" if its opener has to be used first
 */
export async function readyWidget(index: number, restMs: number, items: typeof ITEMS_OF_ROLE): Promise<ReadyWidget | "needless" | "unreached" | "closed"> {
  const { rampeKeys: state, rampeEffects: effects, rampeOpenings, rampeDom: dom } = globalThis as unknown as KeysGlobals & OpeningGlobals;
  const widget = state?.widgets[index];
  if (!effects || !widget) return "unreached";
  if (widget.opener && !widget.element.isConnected) takeOver(createdAgain(widget));
  if (!widget.element.isConnected || !widget.element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return widget.opener ? "closed" : "unreached";
  const { element, kind, role } = widget;
  // The opening trial has already found its key.
  if (kind === "activation" && rampeOpenings?.openings.get(element)?.by !== undefined) return "needless";
  if (isBehindDialog(element)) return "unreached";
  element.scrollIntoView({ block: "center", behavior: "instant" });
  await effects.rest(restMs);
  if (kind !== "items") return isOnTop(element) ? { kind, role, opensFirst: false } : "unreached";
  if (role === "combobox") {
    const root = element.getRootNode() as Document | ShadowRoot;
    const ids = `${element.getAttribute("aria-controls") ?? ""} ${element.getAttribute("aria-owns") ?? ""}`.split(/\s+/).filter(Boolean);
    widget.items = ids.flatMap((id) => [...(root.getElementById(id)?.querySelectorAll<HTMLElement>(items[role] ?? "") ?? [])]).filter(isShown);
    return isOnTop(element) ? { kind, role, opensFirst: widget.items.length < 2 } : "unreached";
  }
  if (state.isSteered(element)) return "needless";
  widget.items = [...element.querySelectorAll<HTMLElement>(items[role] ?? "")].filter((item) => isShown(item) && item.getAttribute("aria-disabled") !== "true" && !item.matches(":disabled"));
  if (/grid$/.test(role)) widget.items = widget.items.filter((item) => item.matches("[tabindex]") || item.querySelector("[tabindex], a[href], button, input, select, textarea"));
  if (widget.items.length < 2 || (role === "toolbar" && !hasOneStop(element, widget.items))) return "needless";
  return widget.items.some(isOnTop) ? { kind, role, opensFirst: false } : "unreached";

  /** In a bar with several Tab stops, or with fields, a control may be out of the Tab order because another one does the same. */
  function hasOneStop(bar: HTMLElement, controls: HTMLElement[]): boolean {
    const fields = "select, textarea, input:not([type=button], [type=submit], [type=checkbox]), [role=textbox], [role=combobox], [role=searchbox], [role=spinbutton], [contenteditable]";
    return controls.filter(({ tabIndex }) => tabIndex >= 0).length === 1 && bar.querySelector(fields) === null;
  }

  /** The results so far belong to the element that stands for the widget now. */
  function takeOver(created: HTMLElement | undefined): void {
    const known = widget && state?.trials.get(widget.element);
    if (widget && created && known) state?.trials.set(created, known);
    if (widget && created) widget.element = created;
  }

  /** Scripts often create the opened content again. */
  function createdAgain({ element: old, kind: oldKind, role: oldRole }: Widget): HTMLElement | undefined {
    const isAlike = (other: Widget) => other.kind === oldKind && other.role === oldRole && other.element.className === old.className;
    const known = new Set([...(state?.initialElements ?? []), ...(state?.widgets.map((each) => each.element) ?? [])]);
    return state?.usableIn(document).find((each) => isAlike(each) && !known.has(each.element))?.element;
  }

  /** Such a dialog makes everything behind it inert. */
  function isBehindDialog(part: HTMLElement): boolean {
    return [...document.querySelectorAll("dialog:modal")].some((dialog) => !dom.contains(dialog, part)) || dom.closest(part, "[inert]") !== null;
  }

  function isShown(item: HTMLElement): boolean {
    const { width, height } = item.getBoundingClientRect();
    return width > 1 && height > 1 && item.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  }

  function isOnTop(part: HTMLElement): boolean {
    const { left, top, width, height } = part.getBoundingClientRect();
    const hit = (part.getRootNode() as Document | ShadowRoot).elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (dom.contains(part, hit) || dom.contains(hit, part) || dom.closest(hit, "label")?.contains(part) === true);
  }
}

/** @returns number of the shown items that the Tab key does not reach */
export function unreachedItems(index: number): number {
  const items = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index]?.items ?? [];
  return items.filter((item) => item.tabIndex < 0 && ![...item.querySelectorAll<HTMLElement>("*")].some(({ tabIndex }) => tabIndex >= 0)).length;
}

/** Focuses a widget, or its item that the Tab key reaches. @returns whether it has the focus */
export function focusWidget(index: number): boolean {
  const widget = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index];
  if (!widget) return false;
  const { element, items, role, opener } = widget;
  // The page itself may have moved the focus into opened content.
  if (opener && element.matches(":focus-within")) return true;
  const stop = role === "combobox" ? undefined : items.flatMap((item) => [item, ...item.querySelectorAll<HTMLElement>("*")]).find(({ tabIndex }) => tabIndex >= 0);
  const entry = stop ?? element;
  if (opener && entry.tabIndex < 0) return false;
  entry.focus({ preventScroll: true });
  return element.matches(":focus-within");
}

/** Returns the effect of a key or a click on a widget. @param isKey as in `EffectGlobals` */
export async function effectOn(index: number, ms: number, isKey: boolean): Promise<Effect> {
  const { rampeKeys: state, rampeEffects: effects } = globalThis as unknown as KeysGlobals;
  return (await effects?.after(ms, state?.widgets[index]?.element, isKey)) ?? "none";
}

/** @param hovered index of the widget below the pointer; as in `EffectGlobals` */
export function forgetEffects(hovered?: number): void {
  const { rampeKeys: state, rampeEffects: effects } = globalThis as unknown as KeysGlobals;
  effects?.forget(hovered === undefined ? undefined : state?.widgets[hovered]?.element);
}

/**
 * @returns point at which a pointer hits a widget, or one of its unselected items; "gone" if none of them is shown any more
 */
export function pointOfWidget(index: number): Point | "covered" | "gone" {
  const widget = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index];
  const chosen = "[aria-selected=true], [aria-checked=true], [aria-current]:not([aria-current=false])";
  const targets = widget?.target ? [widget.target] : widget?.kind === "items" ? widget.items.filter((item) => item.tabIndex < 0 && !item.matches(chosen)) : [widget?.element];
  let isShown = false;
  for (const target of targets) {
    if (!target?.isConnected || !target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    isShown = true;
    target.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = (target.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
    if (hit && target.contains(hit)) return { x, y };
  }
  return isShown ? "covered" : "gone";
}

/** Do controls beside a widget seem to lead from one of its items to the next? */
export function hasSteps(index: number): boolean {
  const { rampeKeys, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const element = rampeKeys?.widgets[index]?.element;
  const steps = /(^|\b)(next|prev(ious)?|forward|back|weiter|zurück|vor|nächste\S*|vorherige\S*|vorige\S*)(\b|$)|^\s*[‹›«»<>←→❮❯]\s*$/i;
  let around = element?.parentElement;
  for (let level = 0; around && level < 4; level += 1, around = dom.parent(around)) {
    if (around === document.body) return false;
    const controls = dom.inside(around, "button, a[href], [role=button]").filter((control) => !element?.contains(control));
    if (controls.some((control) => steps.test(`${control.getAttribute("aria-label") ?? ""} ${control.textContent} ${control.getAttribute("title") ?? ""} ${String(control.className).replace(/[-_]/g, " ")}`))) return true;
  }
  return false;
}

/** Are fields or buttons so close to a widget that they may change its value? */
export function hasOtherControls(index: number): boolean {
  const { rampeKeys, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const element = rampeKeys?.widgets[index]?.element;
  let around = element?.parentElement;
  for (let level = 0; around && level < 3 && around !== document.body; level += 1, around = dom.parent(around)) {
    const others = dom.inside(around, "input:not([type=hidden]), button, select, textarea, [role=button], [role=textbox], [contenteditable]");
    if (others.some((other) => !element?.contains(other))) return true;
  }
  return false;
}

/** Value of a widget by its ARIA attributes, and its place. */
export function valueOf(index: number): string {
  const element = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index]?.element;
  const { left, top } = element?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return JSON.stringify([element?.getAttribute("aria-valuenow"), element?.getAttribute("aria-valuetext"), Math.round(left + scrollX), Math.round(top + scrollY)]);
}

export function noteTrial(index: number, trial: KeyTrials): void {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  const element = state?.widgets[index]?.element;
  if (state && element) state.trials.set(element, { ...state.trials.get(element), ...trial });
}

/**
 * Effects of the keys on elements of the document.
 * @param selectors of single elements in results
 * @returns whether a key had a visible effect; null if unknown
 */
export function decidedByKeys(selectors: string[]): (boolean | null)[] {
  const { analyser, rampeKeys, rampeOpenings } = globalThis as unknown as AnalyserGlobals & KeysGlobals & Partial<OpeningGlobals>;
  return selectors.map((selector) => {
    const element = find(selector);
    const trial = element && rampeKeys?.trials.get(element)?.activation;
    if (trial) return trial.isSeen ? true : trial.byPointer ? false : null;
    const opener = element && rampeOpenings?.openings.get(element)?.by;
    return opener === "Enter" || opener === "Space" ? true : null;
  });

  /** Null if the found element is in no result: then the page has changed. */
  function find(selector: string): Element | null {
    try {
      const element = selector === "" ? null : document.querySelector(selector);
      return element && analyser.marked.includes(element) ? element : null;
    } catch {
      return null;
    }
  }
}
