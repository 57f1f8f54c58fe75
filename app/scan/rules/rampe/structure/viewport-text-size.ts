import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** An element that sets the size of text. */
interface Place {
  setter: Element;
  size: string;
}

/** WCAG failure F94: text measured by the window alone does not grow with the zoom. Reported where the size is set. */
export const viewportTextSize: PageRule = {
  id: "rampe-viewport-text-size",
  since: "1.0.0",
  criteria: ["1.4.4"],
  level: "wcag2aa",
  category: "sensory-and-visual-cues",
  impact: "serious",
  selector: "html, body, body *",
  judge(element, kit) {
    const byWindow = /^[\d.]+(vw|vh|vmin|vmax|vi|vb|svw|lvw|dvw|svh|lvh|dvh)$/i;
    const rules = kit.once("sizes of text", () =>
      kit.styleRules().flatMap(({ selector, style: { fontSize }, media }) => (fontSize !== "" && kit.applies(media) ? [{ selector, size: fontSize }] : [])),
    );
    const size = kit.once("texts by the window", findTexts).get(element);
    return size === undefined ? undefined : { fails: "size", data: { size } };

    /** Elements that set the size of some text by the window, with that size. */
    function findTexts(): Map<Element, string> {
      const found = new Map<Element, string>();
      const places = new Map<Element, Place | undefined>();
      const inline = kit.all("[style*=font]").map(inlineSize);
      const known = [...inline, ...rules.map(({ size }) => size)].filter((each) => byWindow.test(each)).map(inPixels);
      for (const holder of known.length > 0 ? kit.all("body, body *") : []) {
        if (!hasOwnText(holder) || !known.some((each) => isDrawn(each, holder))) continue;
        const place = placeOfSize(holder, places);
        if (place && !found.has(place.setter) && kit.isVisible(holder)) found.set(place.setter, place.size);
      }
      return found;
    }

    /** Where the size of a text comes from, if that measures it by the window: the element itself, or one around it. @param places known ones */
    function placeOfSize(at: HTMLElement, places: Map<Element, Place | undefined>): Place | undefined {
      if (!places.has(at)) places.set(at, ownSize(at) ?? (inherits(at) ? aroundOf(at) : undefined));
      return places.get(at);

      function aroundOf(inner: HTMLElement): Place | undefined {
        const outer = kit.around(inner, "*");
        return outer && sizeOf(outer) === sizeOf(inner) ? placeOfSize(outer, places) : undefined;
      }
    }

    /** Another rule may win. */
    function ownSize(each: HTMLElement): Place | undefined {
      const size = sizesFor(each).find((own) => byWindow.test(own) && isDrawn(inPixels(own), each));
      return size === undefined ? undefined : { setter: each, size };
    }

    function inherits(each: HTMLElement): boolean {
      return sizesFor(each).every((own) => own === "inherit");
    }

    function sizesFor(each: HTMLElement): string[] {
      const matching = rules.filter(({ selector }) => kit.matches(each, selector)).map(({ size }) => size);
      return inlineSize(each) === "" ? matching : [inlineSize(each), ...matching];
    }

    function inlineSize(each: HTMLElement): string {
      return kit.inlineStyle(each)?.fontSize ?? "";
    }

    function isDrawn(pixels: number, each: Element): boolean {
      return Math.abs(pixels - sizeOf(each)) < 1;
    }

    function sizeOf(each: Element): number {
      return parseFloat(kit.style(each).fontSize);
    }

    function inPixels(size: string): number {
      const [, number = "0", unit = "vw"] = /^([\d.]+)(\D+)$/.exec(size) ?? [];
      const sides = { w: innerWidth, h: innerHeight, in: Math.min(innerWidth, innerHeight), ax: Math.max(innerWidth, innerHeight), i: innerWidth, b: innerHeight };
      const side = sides[unit.toLowerCase().replace(/^[sld]?v(m(?=in|ax))?/, "") as keyof typeof sides] ?? innerWidth;
      return (Number(number) * side) / 100;
    }

    function hasOwnText(each: Element): boolean {
      return kit.nodes(each).some((node) => node instanceof Text && /\p{L}/u.test(node.data));
    }
  },
};
