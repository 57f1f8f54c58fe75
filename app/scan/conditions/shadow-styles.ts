import type { DomGlobals } from "~/scan/page/dom";

interface ShadowStyleGlobals extends DomGlobals {
  rampeShadowStyle?: CSSStyleSheet;
}

/**
 * Gives all open shadow roots a style sheet, which those of the document do not reach. No node changes, so that scripts are not told.
 * Runs inside a page, in an isolated world; sent as source text.
 * @param text of the style sheet; empty to take it away
 */
export function styleShadowRoots(text: string): void {
  const globals = globalThis as unknown as ShadowStyleGlobals;
  const { rampeDom: dom } = globals;
  if (!text && !globals.rampeShadowStyle) return;
  const sheet = globals.rampeShadowStyle ?? new CSSStyleSheet();
  globals.rampeShadowStyle = sheet;
  // Also for roots that have left the page meanwhile.
  sheet.replaceSync(text);
  const [, ...inner] = dom.roots();
  for (const root of inner) {
    const others = root.adoptedStyleSheets.filter((each) => each !== sheet);
    if (text) root.adoptedStyleSheets = [...others, sheet];
    else if (others.length < root.adoptedStyleSheets.length) root.adoptedStyleSheets = others;
  }
}
