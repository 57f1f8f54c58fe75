import type { DomGlobals } from "~/scan/page/dom";
import type { SightGlobals } from "~/scan/interaction/sight";

/* These functions run inside a page, in an isolated world, after `defineSight`; they are sent as source text. */

export interface ShownGlobals extends SightGlobals, DomGlobals {
  rampeShown?: {
    /** Elements with visible content of their own, or drawn and with listeners, at any time in the usual condition. */
    usual: Set<Element>;
    /** Elements that are visible only in the condition, and the outermost elements around them. */
    news: Element[];
    appeared: Element[];
    /** A script of the page has removed a link or button that was visible only in the condition: it is created anew there. */
    hasRecreated: boolean;
  };
}

/** Keeps the visible content of the page before it is shown in other conditions. */
export function rememberShown(): void {
  const globals = globalThis as unknown as ShownGlobals;
  const { rampeSight: sight } = globals;
  globals.rampeShown = { usual: new Set([...sight.look(), ...sight.drawn()]), news: [], appeared: [], hasRecreated: false };
}

/** Keeps content that is visible only in the condition, such as the menu button on narrow screens. */
export function noteShown(): void {
  const { rampeShown: shown, rampeSight: sight } = globalThis as unknown as ShownGlobals;
  if (!shown) throw new Error("Nothing that is shown is remembered.");
  shown.news = [...new Set([...sight.look(), ...sight.drawn()])].filter((element) => !shown.usual.has(element));
  shown.appeared = sight.outermost(shown.news, shown.usual, document.documentElement);
}

/** Back in the usual condition: forgets content that has appeared by itself. */
export function confirmShown(): void {
  const { rampeShown: shown, rampeSight: sight, rampeDom: dom } = globalThis as unknown as ShownGlobals;
  if (!shown) return;
  const now = new Set([...sight.look(), ...sight.drawn()]);
  for (const element of now) shown.usual.add(element);
  shown.hasRecreated = shown.news.some((element) => !element.isConnected && dom.closest(element, "button, a, [role=button]") !== null);
  shown.news = shown.news.filter((element) => element.isConnected && !now.has(element));
  shown.appeared = sight.outermost(shown.news, now, document.documentElement);
}

/** Is any content visible only in the condition? */
export function hasNewlyShown(): boolean {
  return ((globalThis as unknown as ShownGlobals).rampeShown?.news.length ?? 0) > 0;
}

/** Are there links or buttons that a script creates only in the condition? */
export function hasRecreatedControls(): boolean {
  return (globalThis as unknown as ShownGlobals).rampeShown?.hasRecreated ?? false;
}

/** Keeps what is visible in the usual condition now, before the page is shown in another one. */
export function addUsual(): void {
  const { rampeShown: shown, rampeSight: sight } = globalThis as unknown as ShownGlobals;
  for (const element of [...sight.look(), ...sight.drawn()]) shown?.usual.add(element);
}
