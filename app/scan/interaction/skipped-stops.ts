/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { ElementListeners } from "~/scan/rules/rampe/listeners/keep-listeners";
import type { WalkGlobals } from "./focus-log";

export interface SkippedGlobals {
  rampeSkipped?: {
    /** Controls that the Tab key should have reached, as far as their markup tells. */
    expected: HTMLElement[];
    /** Those that a walk to the end of the page did not reach. */
    missed: HTMLElement[];
    /** Those that the Tab key does not reach from their neighbours either. */
    skipped: Set<Element>;
    isExpected(element: HTMLElement): boolean;
  };
}

/** Keeps the controls that a walk with the Tab key should reach. */
export function expectStops(): void {
  const { rampeDom: dom, rampeListeners: listeners } = globalThis as unknown as DomGlobals & Partial<ElementListeners>;
  const roles = "[role=button], [role=link], [role=checkbox], [role=switch], [role=slider], [role=spinbutton], [role=textbox], [role=searchbox]";
  // Arrow keys lead to the others of a group of radio buttons.
  const controls = `a[href], button, input:not([type=hidden], [type=radio], [type=file]), select, textarea, summary, :is(${roles})[tabindex]`;
  const widgets = ["toolbar", "tablist", "menu", "menubar", "listbox", "tree", "treegrid", "grid", "radiogroup", "combobox"].map((role) => `[role=${role}]`).join(", ");
  const excused = `:disabled, [aria-disabled=true], [aria-hidden=true], [inert], [contenteditable]:not([contenteditable=false]), svg, ${widgets}, [aria-activedescendant]`;
  const all = [...document.querySelectorAll<HTMLElement>(`${controls}, [tabindex]`)];
  // The order by tabindex is judged by another rule.
  const expected = all.some(({ tabIndex }) => tabIndex > 0) ? [] : all.filter(isExpected);
  (globalThis as SkippedGlobals).rampeSkipped = { expected, missed: [], skipped: new Set(), isExpected };

  function isExpected(element: HTMLElement): boolean {
    const least = 4;
    if (!(element instanceof HTMLElement) || element.tabIndex < 0 || dom.localName(element).includes("-") || dom.shadow(element)) return false;
    if (!dom.matches(element, controls) && !(listeners?.get(element) ?? []).includes("click")) return false;
    const { width, height, right, bottom } = dom.box(element);
    const isInPage = width >= least && height >= least && right + scrollX > 0 && bottom + scrollY > 0;
    return isInPage && dom.isShown(element, { opacityProperty: true, visibilityProperty: true }) && dom.closest(element, excused) === null && getComputedStyle(element).pointerEvents !== "none";
  }
}

/**
 * Keeps the expected controls that the walk did not reach, although they are still shown, and nothing lies over them.
 * @param most maximum number of kept controls
 * @returns numbers of kept controls and of further ones
 */
export function findMissedStops(most: number): { kept: number; more: number } {
  const { rampeDom: dom, rampeSkipped: state, rampeWalk: walk } = globalThis as unknown as DomGlobals & SkippedGlobals & WalkGlobals;
  if (!state || !walk) return { kept: 0, more: 0 };
  const stops = walk.order;
  const modals = [...document.querySelectorAll("dialog:modal, [aria-modal=true]")].filter((each) => dom.isShown(each, { visibilityProperty: true }));
  const isReached = (element: Element) => walk.stops.has(element) || walk.moved.has(element) || stops.some((stop) => dom.contains(element, stop));
  const missed = state.expected.filter((each) => !isReached(each) && each.isConnected && state.isExpected(each) && modals.every((modal) => dom.contains(modal, each)));
  const first = missed.slice(0, most).filter(isOnTop);
  state.missed = first;
  return { kept: first.length, more: Math.max(0, missed.length - most) };

  function isOnTop(element: HTMLElement): boolean {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = dom.box(element);
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (dom.contains(element, hit) || dom.closest(hit, "label")?.contains(element) === true);
  }
}

/**
 * Focuses the reached neighbour of a missed control. @returns whether it has the focus; false also for a control that itself cannot keep the focus
 */
export function focusBeside(index: number, isBefore: boolean): boolean {
  const { rampeDom: dom, rampeSkipped: state, rampeWalk: walk } = globalThis as unknown as DomGlobals & SkippedGlobals & WalkGlobals;
  const control = state?.missed[index];
  if (!control || !walk || !state.isExpected(control)) return false;
  dom.focus(control, { preventScroll: true });
  if (dom.focused() !== control) return false;
  const side = isBefore ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const beside = walk.order.filter((stop) => stop.isConnected && stop.getRootNode() === document && (control.compareDocumentPosition(stop) & side) !== 0 && dom.isShown(stop, { visibilityProperty: true }));
  const [first, ...others] = beside;
  if (!first) return false;
  const isNearer = (one: Element, other: Element) => (one.compareDocumentPosition(other) & (isBefore ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING)) !== 0;
  const nearest = others.reduce((near, stop) => (isNearer(near, stop) ? stop : near), first);
  dom.focus(nearest, { preventScroll: true });
  return dom.focused() === nearest;
}

/** After a Tab key: did it lead to a missed control, or into it? */
export function isReachedNow(index: number): boolean {
  const { rampeDom: dom, rampeSkipped: state } = globalThis as unknown as DomGlobals & SkippedGlobals;
  const focused = dom.focused();
  const control = state?.missed[index];
  return focused !== undefined && control !== undefined && dom.contains(control, focused);
}

export function noteSkipped(index: number): void {
  const state = (globalThis as SkippedGlobals).rampeSkipped;
  const control = state?.missed[index];
  if (control) state?.skipped.add(control);
}
