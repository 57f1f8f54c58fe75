/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { SkipLinkTrial, KeysGlobals } from "./trials";

/**
 * Finds links that skip the beginning of the page, among its first Tab stops. Needs `findWidgets`.
 * @param most maximum number of links
 * @returns number of links
 */
export function findSkipLinks(most: number): number {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const firstStops = 5;
  const stops = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]")].filter((each) => each.tabIndex >= 0 && !dom.matches(each, ":disabled, [inert] *") && dom.isShown(each, { visibilityProperty: true }));
  for (const link of stops.slice(0, firstStops)) {
    const target = dom.matches(link, "a[href^='#']") && targetOf(link.getAttribute("href") ?? "");
    const isAhead = target && (link.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    if (state && isAhead && state.skipLinks.length < most) state.skipLinks.push({ link: link as HTMLAnchorElement, target });
  }
  return state?.skipLinks.length ?? 0;

  function targetOf(address: string): Element | undefined {
    try {
      const name = decodeURIComponent(address.slice(1));
      return name ? (document.getElementById(name) ?? document.getElementsByName(name)[0]) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Focuses a skip link. @returns false if it can no longer be used */
export function focusSkipLink(index: number): boolean {
  const skipLink = (globalThis as unknown as KeysGlobals).rampeKeys?.skipLinks[index];
  if (!skipLink?.link.isConnected || !skipLink.target.isConnected) return false;
  skipLink.link.focus();
  return skipLink.link.matches(":focus");
}

/** Keeps the Tab stop after the unused link. @returns whether there is something to skip before the link's target */
export function noteNext(index: number): boolean {
  const { rampeKeys, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const skipLink = rampeKeys?.skipLinks[index];
  const next = document.activeElement;
  if (!skipLink || !next || next === document.body || next === skipLink.link) return false;
  skipLink.next = next;
  return !dom.contains(skipLink.target, next) && (Node.prototype.compareDocumentPosition.call(skipLink.target, next) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

/**
 * Keeps the place of the focus after Enter on the link, and a Tab key.
 * @param isLate the page had enough time: only then a focus elsewhere is kept
 * @returns whether the focus is in or after the target
 */
export function noteSkipLink(index: number, isLate: boolean): boolean {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const skipLink = state?.skipLinks[index];
  // A script may have changed the page instead.
  if (!state || !skipLink?.link.isConnected || !skipLink.target.isConnected) return true;
  const { link, target, next } = skipLink;
  const active = document.activeElement;
  // After its last stop, a page starts again.
  const isBetween = active !== null && !dom.contains(target, active) && (Node.prototype.compareDocumentPosition.call(target, active) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 && (link.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const followed: SkipLinkTrial = { reaches: !isBetween, isIgnored: isBetween && active === next };
  if (followed.reaches || isLate) state.trials.set(link, { ...state.trials.get(link), skipLink: followed });
  return followed.reaches;
}
