import type { DomGlobals } from "~/scan/page/dom";
import type { SightGlobals } from "~/scan/interaction/sight";

/* These functions run inside a page, in an isolated world, after `defineSight`; they are sent as source text. */

export interface ShownGlobals extends SightGlobals, DomGlobals {
  rampeShown?: {
    /** Elements with visible content of their own, in the usual condition. */
    usual: Set<Element>;
    /** Elements that are visible only in the condition, and the outermost elements around them. */
    news: Element[];
    appeared: Element[];
  };
}

/** Keeps the visible content of the page before it is shown in other conditions. */
export function rememberShown(): void {
  const globals = globalThis as unknown as ShownGlobals;
  globals.rampeShown = { usual: globals.rampeSight.look(), news: [], appeared: [] };
}

/** Keeps content that is visible only in the condition, such as the menu button on narrow screens. */
export function noteShown(): void {
  const { rampeShown: shown, rampeSight: sight } = globalThis as unknown as ShownGlobals;
  if (!shown) throw new Error("Nothing that is shown is remembered.");
  shown.news = [...sight.look()].filter((element) => !shown.usual.has(element));
  shown.appeared = sight.outermost(shown.news, shown.usual, document.documentElement);
}

/** Back in the usual condition: forgets content that has appeared by itself. */
export function confirmShown(): void {
  const { rampeShown: shown, rampeSight: sight } = globalThis as unknown as ShownGlobals;
  if (!shown) return;
  const now = sight.look();
  shown.news = shown.news.filter((element) => element.isConnected && !now.has(element));
  shown.appeared = sight.outermost(shown.news, now, document.documentElement);
}

/** Is any content visible only in the condition? */
export function hasNewlyShown(): boolean {
  return ((globalThis as unknown as ShownGlobals).rampeShown?.news.length ?? 0) > 0;
}
