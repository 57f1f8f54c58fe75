import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F94: text measured by the window alone does not grow with the zoom. */
export const viewportTextSize: PageRule = {
  id: "rampe-viewport-text-size",
  criteria: ["1.4.4"],
  level: "wcag2aa",
  category: "sensory-and-visual-cues",
  impact: "serious",
  selector: "body, body *",
  judge(element, kit) {
    const byWindow = /^[\d.]+(vw|vh|vmin|vmax|vi|vb|svw|lvw|dvw|svh|lvh|dvh)$/i;
    const selectors = kit.once("selectors of window sizes", () =>
      kit.styleRules().flatMap(({ selector, style, media }) => (byWindow.test(style.fontSize) && kit.applies(media) ? [{ selector, size: style.fontSize }] : [])),
    );
    const own = byWindow.test(element.style.fontSize) ? element.style.fontSize : selectors.find(({ selector }) => kit.matches(element, selector))?.size;
    if (own === undefined || !hasOwnText() || !kit.isVisible(element)) return undefined;
    // Another rule may win.
    const [, number = "0", unit = "vw"] = /^([\d.]+)(\D+)$/.exec(own) ?? [];
    const sides = { w: innerWidth, h: innerHeight, in: Math.min(innerWidth, innerHeight), ax: Math.max(innerWidth, innerHeight), i: innerWidth, b: innerHeight };
    const side = sides[unit.toLowerCase().replace(/^[sld]?v(m(?=in|ax))?/, "") as keyof typeof sides] ?? innerWidth;
    const expected = (Number(number) * side) / 100;
    return Math.abs(parseFloat(kit.style(element).fontSize) - expected) < 1 ? { fails: "size", data: { size: own } } : undefined;

    function hasOwnText(): boolean {
      return [...element.childNodes].some((node) => node instanceof Text && /\p{L}/u.test(node.data));
    }
  },
};
