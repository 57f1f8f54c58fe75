/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { JumpTrial, KeysGlobals } from "./trials";

/**
 * Looks for links that lead past the beginning of the page, among its first stops. Needs `findWidgets`.
 * @param most of them
 * @returns how many there are
 */
export function findJumps(most: number): number {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  const firstStops = 5;
  const stops = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]")].filter((each) => each.tabIndex >= 0 && !each.matches(":disabled, [inert] *") && each.checkVisibility({ visibilityProperty: true }));
  for (const link of stops.slice(0, firstStops)) {
    const target = link.matches("a[href^='#']") && targetOf(link.getAttribute("href") ?? "");
    const isAhead = target && (link.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    if (state && isAhead && state.jumps.length < most) state.jumps.push({ link: link as HTMLAnchorElement, target });
  }
  return state?.jumps.length ?? 0;

  function targetOf(address: string): Element | undefined {
    try {
      const name = decodeURIComponent(address.slice(1));
      return name ? (document.getElementById(name) ?? document.getElementsByName(name)[0]) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Gives such a link the focus. @returns false if it cannot be used any more */
export function focusJump(index: number): boolean {
  const jump = (globalThis as unknown as KeysGlobals).rampeKeys?.jumps[index];
  if (!jump?.link.isConnected || !jump.target.isConnected) return false;
  jump.link.focus();
  return jump.link.matches(":focus");
}

/** After a Tab key without the link. @returns whether there is something before its target that it could skip */
export function noteNext(index: number): boolean {
  const jump = (globalThis as unknown as KeysGlobals).rampeKeys?.jumps[index];
  const next = document.activeElement;
  if (!jump || !next || next === document.body || next === jump.link) return false;
  jump.next = next;
  return !jump.target.contains(next) && (jump.target.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

/**
 * After Enter on the link, and a Tab key.
 * @param isLate the page had time enough: only then is it noted that the focus is elsewhere
 * @returns whether the focus is where it should be
 */
export function noteJump(index: number, isLate: boolean): boolean {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  const jump = state?.jumps[index];
  // A script may have changed the page instead.
  if (!state || !jump?.link.isConnected || !jump.target.isConnected) return true;
  const { link, target, next } = jump;
  const active = document.activeElement;
  // After its last stop, a page begins again.
  const isBetween = active !== null && !target.contains(active) && (target.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 && (link.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const jumped: JumpTrial = { reaches: !isBetween, isIgnored: isBetween && active === next };
  if (jumped.reaches || isLate) state.trials.set(link, { ...state.trials.get(link), jump: jumped });
  return jumped.reaches;
}
