import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** An element that sets a text size. */
interface Place {
  setter: Element;
  size: string;
}

/** WCAG failure F94: text sized only by the window does not grow with the zoom. Reported where the size is set. */
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
    const notWhenEnlarged = "of a wide window";
    const rules = kit.once("sizes of text", () =>
      kit.styleRules().flatMap(({ selector, style: { fontSize }, media }, order) => (fontSize !== "" && kit.applies(media) ? [{ selector, order, size: fontSize, isWide: needsWideWindow(media), pixels: measureOf(fontSize) }] : [])),
    );
    /** Selectors of sizes that do not depend on the window and apply only at a zoom of 200 %, with their order in the style sheets. */
    const narrow = kit.once("sizes of text in narrow windows", () =>
      kit.styleRules().flatMap(({ selector, style: { fontSize }, media }, order) => (/^[\d.]+px$/i.test(fontSize) && beginsWhenEnlarged(media) ? [{ selector, order }] : [])),
    );
    const size = kit.once("texts by the window", findTexts).get(element);
    return size === undefined ? undefined : { fails: "size", data: { size } };

    /** Elements that set a text size by the window, with that size. */
    function findTexts(): Map<Element, string> {
      const found = new Map<Element, string>();
      const places = new Map<Element, Place | undefined>();
      const inline = kit.all("[style*=font]").map(inlineSize);
      const byRules = rules.flatMap(({ size, isWide }) => (isWide ? [] : [size]));
      const known = [...inline, ...byRules].filter((size) => byWindow.test(size)).map((size) => measureOf(size)(0) ?? 0);
      const nearby = new Map<Element, boolean>();
      for (const holder of known.length > 0 ? kit.all("body, body *") : []) {
        if (!hasOwnText(holder) || !mayFollow(holder)) continue;
        const place = placeOfSize(holder, places);
        if (place && !found.has(place.setter) && kit.isVisible(holder)) found.set(place.setter, place.size);
      }
      return found;

      /** Does the element, or an ancestor, have such a size? All rules are tested only on these. */
      function mayFollow(at: HTMLElement): boolean {
        let may = nearby.get(at);
        if (may === undefined) {
          const outer = kit.around(at, "*");
          may = known.some((pixels) => Math.abs(pixels - sizeOf(at)) < 1) || (outer !== null && mayFollow(outer));
          nearby.set(at, may);
        }
        return may;
      }
    }

    /** Element that sets the size of a text by the window: the element itself, or an ancestor. @param places known ones */
    function placeOfSize(at: HTMLElement, places: Map<Element, Place | undefined>): Place | undefined {
      if (!places.has(at)) places.set(at, judgePlace());
      return places.get(at);

      function judgePlace(): Place | undefined {
        const sizes = sizesFor(at);
        const own = sizes.find((size) => byWindow.test(size));
        if (own !== undefined) return { setter: at, size: own };
        const outer = kit.around(at, "*");
        if (!outer) return undefined;
        // The size depends on that of the document, or of the parent.
        if (sizes.length > 0 && sizes.every((size) => /rem$/i.test(size))) return placeOfSize(document.documentElement, places);
        const isOfOuter = sizes.length > 0 ? sizes.every((size) => /^inherit$|%$|(?<!r)em$/i.test(size)) : sizeOf(outer) === sizeOf(at);
        return isOfOuter ? placeOfSize(outer, places) : undefined;
      }
    }

    /** Sizes that may apply to the element; another rule may win. */
    function sizesFor(each: HTMLElement): string[] {
      const [drawn, own, outer] = [sizeOf(each), inlineSize(each), kit.around(each, "*")];
      const around = outer ? sizeOf(outer) : drawn;
      const isPossible = (pixels: ReturnType<typeof measureOf>) => Math.abs((pixels(around) ?? drawn) - drawn) < 1;
      // When the page is enlarged, the window becomes narrow, so a size of a wide window does not apply.
      const matching = rules.filter(({ selector, pixels }) => isPossible(pixels) && kit.matches(each, selector)).map((rule) => (byWindow.test(rule.size) && (rule.isWide || isReplaced(rule)) ? notWhenEnlarged : rule.size));
      return own !== "" && isPossible(measureOf(own)) ? [own, ...matching] : matching;
    }

    /** Does a media query no longer apply when the page is enlarged to 200 %? */
    function needsWideWindow(media: string): boolean {
      const least = [...media.matchAll(/min-width:\s*([\d.]+)(px|r?em)/g)].map(([, number = "0", unit]) => Number(number) * (unit === "px" ? 1 : 16));
      return least.some((pixels) => pixels > innerWidth / 2) || /width\s*[<>]|[<>]=?\s*width/.test(media);
    }

    /** Does a later rule of the same selector replace the size? For other selectors, the winning rule is unknown. */
    function isReplaced({ selector, order }: { selector: string; order: number }): boolean {
      return narrow.some((other) => other.selector === selector && other.order > order);
    }

    function beginsWhenEnlarged(media: string): boolean {
      const most = [...media.matchAll(/max-width:\s*([\d.]+)(px|r?em)|width\s*<=?\s*([\d.]+)(px|r?em)/g)].map(([, number, unit, other, otherUnit]) => Number(number ?? other) * ((unit ?? otherUnit) === "px" ? 1 : 16));
      return most.some((pixels) => pixels < innerWidth && pixels >= innerWidth / 2) && !/min-width|>/.test(media);
    }

    function inlineSize(each: HTMLElement): string {
      return kit.inlineStyle(each)?.fontSize ?? "";
    }

    function sizeOf(each: Element): number {
      return parseFloat(kit.style(each).fontSize);
    }

    /** Size in pixels, by the size of the parent; undefined for sizes that cannot be computed here, such as `calc()` and words. */
    function measureOf(size: string): (around: number) => number | undefined {
      const [, digits = "0", unit = ""] = /^([\d.]+)([a-z]+|%)$/i.exec(size) ?? [];
      const number = Number(digits);
      if (unit === "px") return () => number;
      if (/^rem$/i.test(unit)) return () => number * kit.once("size of the document", () => sizeOf(document.documentElement));
      if (/^(em|%)$/i.test(unit)) return (around) => number * around * (unit === "%" ? 0.01 : 1);
      if (!byWindow.test(size)) return () => undefined;
      const sides = { w: innerWidth, h: innerHeight, in: Math.min(innerWidth, innerHeight), ax: Math.max(innerWidth, innerHeight), i: innerWidth, b: innerHeight };
      const side = sides[unit.toLowerCase().replace(/^[sld]?v(m(?=in|ax))?/, "") as keyof typeof sides] ?? innerWidth;
      return () => (number * side) / 100;
    }

    function hasOwnText(each: Element): boolean {
      return kit.nodes(each).some((node) => node instanceof Text && /\p{L}/u.test(node.data));
    }
  },
};
