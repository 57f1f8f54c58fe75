/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { OpeningGlobals, ReturnOfFocus } from "./opening-log";

/** @returns whether the focus is in the opened content of a control */
export function isFocusInside(index: number): boolean {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  const active = dom.focused();
  if (!state || !control || !active || active === control) return false;
  return [...state.appeared, ...state.dialogs].some((element) => sight.holds(element, active));
}

/** @returns place of the focus: on the control or near it, on no element, or elsewhere; scripts may return it later */
export function placeOfFocus(index: number): "back" | "lost" | "away" {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  const active = dom.focused();
  if (!document.hasFocus()) return "back";
  if (!active) return "lost";
  return control && (active === control || sight.holds(control, active) || sight.holds(active, control)) ? "back" : "away";
}

/**
 * Keeps where the focus is after a key has closed the opened content.
 * @param wasLost the focus was on no element, and a Tab key was pressed since
 */
export function noteReturn(index: number, wasLost: boolean): void {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  const opening = control && state.openings.get(control);
  if (!state || !opening) return;
  const near = 3;
  const isShown = (element: Element) => dom.isShown(element, { visibilityProperty: true }) && !dom.matches(element, ":disabled, [inert], [inert] *");
  const places = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, iframe, [tabindex]")].filter(isShown);
  const stops = places.filter((element) => !dom.matches(element, "[tabindex='-1']"));
  const active = dom.focused();
  if (wasLost) return noteRestart();
  // An outer control was in use before: the focus may return to it.
  if (!active || !control || !isShown(control) || (state.outer.has(control) && active === state.outer.get(control))) return;
  opening.returned = placeOf(active, control);
  if (opening.returned !== "control" && opening.returned !== "near") opening.returnedTo = active;

  function noteRestart(): void {
    if (!opening || !control) return;
    const at = active ? stops.indexOf(active as HTMLElement) : stops.length;
    const from = stops.indexOf(control);
    if (at >= 0 && from >= 0 && Math.abs(at - from) > near) opening.losesFocus = true;
    else if (from >= 0) opening.returned = "near";
  }

  function placeOf(place: Element, opener: HTMLElement): ReturnOfFocus | undefined {
    if (place === opener || sight.holds(opener, place)) return "control";
    if (state?.appeared.some((root) => sight.holds(root, place))) return sight.look().has(place) ? undefined : "hidden";
    // Places in shadow roots have no known order.
    if (dom.root(place) !== document || dom.root(opener) !== document) return undefined;
    const parts = "li, tr, article, section, form, fieldset, nav, header, footer, aside, details, dialog, [role=region], [role=group], [role=toolbar], [role=menubar], [role=tablist], [role=navigation], [role=search], [role=form], [role=listitem], [role=row]";
    const part = dom.closest(opener, parts);
    if (dom.contains(place, opener) ? place !== document.body && !dom.matches(place, "main, [role=main]") : part && dom.contains(part, place)) return "near";
    const [at, from] = [rankOf(place), rankOf(opener)];
    if (Math.abs(at - from) <= near) return "near";
    return at === 0 ? "top" : "elsewhere";
  }

  /** Number of Tab stops before an element. */
  function rankOf(element: Element): number {
    return stops.filter((stop) => stop !== element && precedes(stop, element)).length;
  }

  function precedes(one: Element, other: Element): boolean {
    return (Node.prototype.compareDocumentPosition.call(one, other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  }
}
