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
      kit.styleRules().flatMap(({ selector, style: { fontSize }, media }) => (fontSize !== "" && kit.applies(media) ? [{ selector, size: fontSize, isWide: needsWideWindow(media) }] : [])),
    );
    const size = kit.once("texts by the window", findTexts).get(element);
    return size === undefined ? undefined : { fails: "size", data: { size } };

    /** Elements that set the size of some text by the window, with that size. */
    function findTexts(): Map<Element, string> {
      const found = new Map<Element, string>();
      const places = new Map<Element, Place | undefined>();
      const isAny = kit.all("[style*=font]").some((each) => byWindow.test(inlineSize(each))) || rules.some((rule) => byWindow.test(rule.size) && !rule.isWide);
      for (const holder of isAny ? kit.all("body, body *") : []) {
        if (!hasOwnText(holder)) continue;
        const place = placeOfSize(holder, places);
        if (place && !found.has(place.setter) && kit.isVisible(holder)) found.set(place.setter, place.size);
      }
      return found;
    }

    /** Where the size of a text comes from, if that measures it by the window: the element itself, or one around it. @param places known ones */
    function placeOfSize(at: HTMLElement, places: Map<Element, Place | undefined>): Place | undefined {
      if (!places.has(at)) places.set(at, judgePlace());
      return places.get(at);

      function judgePlace(): Place | undefined {
        const sizes = sizesFor(at);
        const own = sizes.find((size) => byWindow.test(size));
        if (own !== undefined) return { setter: at, size: own };
        const outer = kit.around(at, "*");
        if (!outer) return undefined;
        // Measured by the size of the document, or of what is around it.
        if (sizes.length > 0 && sizes.every((size) => /rem$/i.test(size))) return placeOfSize(document.documentElement, places);
        const isOfOuter = sizes.length > 0 ? sizes.every((size) => /^inherit$|%$|(?<!r)em$/i.test(size)) : sizeOf(outer) === sizeOf(at);
        return isOfOuter ? placeOfSize(outer, places) : undefined;
      }
    }

    /** Sizes that may be the one with which it is drawn; another rule may win. */
    function sizesFor(each: HTMLElement): string[] {
      const [drawn, own, outer] = [sizeOf(each), inlineSize(each), kit.around(each, "*")];
      const around = outer ? sizeOf(outer) : drawn;
      const isPossible = (size: string) => Math.abs((inPixels(size, around) ?? drawn) - drawn) < 1;
      // A size of a wide window is another one when the page is enlarged, which makes the window narrow.
      const matching = rules.filter(({ selector, size }) => isPossible(size) && kit.matches(each, selector)).map(({ size, isWide }) => (isWide && byWindow.test(size) ? "of a wide window" : size));
      return own !== "" && isPossible(own) ? [own, ...matching] : matching;
    }

    /** Whether it no longer applies when the page is enlarged to 200 %. */
    function needsWideWindow(media: string): boolean {
      const least = [...media.matchAll(/min-width:\s*([\d.]+)(px|r?em)/g)].map(([, number = "0", unit]) => Number(number) * (unit === "px" ? 1 : 16));
      return least.some((pixels) => pixels > innerWidth / 2) || /width\s*[<>]|[<>]=?\s*width/.test(media);
    }

    function inlineSize(each: HTMLElement): string {
      return kit.inlineStyle(each)?.fontSize ?? "";
    }

    function sizeOf(each: Element): number {
      return parseFloat(kit.style(each).fontSize);
    }

    /** Undefined for what cannot be computed here, such as `calc()` and words. @param around the size around it, in pixels */
    function inPixels(size: string, around: number): number | undefined {
      const [, number = "0", unit = ""] = /^([\d.]+)([a-z]+|%)$/i.exec(size) ?? [];
      if (unit === "px") return Number(number);
      if (/^rem$/i.test(unit)) return Number(number) * kit.once("size of the document", () => sizeOf(document.documentElement));
      if (/^(em|%)$/i.test(unit)) return Number(number) * around * (unit === "%" ? 0.01 : 1);
      if (!byWindow.test(size)) return undefined;
      const sides = { w: innerWidth, h: innerHeight, in: Math.min(innerWidth, innerHeight), ax: Math.max(innerWidth, innerHeight), i: innerWidth, b: innerHeight };
      const side = sides[unit.toLowerCase().replace(/^[sld]?v(m(?=in|ax))?/, "") as keyof typeof sides] ?? innerWidth;
      return (Number(number) * side) / 100;
    }

    function hasOwnText(each: Element): boolean {
      return kit.nodes(each).some((node) => node instanceof Text && /\p{L}/u.test(node.data));
    }
  },
};
