import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F2: a line looks like a heading of the following content and is none. */
export const headingByLooks: PageRule = {
  id: "rampe-heading-by-looks",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "structure",
  impact: "moderate",
  selector: "p, div, span, font, b, strong",
  judge(element, kit) {
    const text = kit.visibleText(element);
    const mostCharacters = 80;
    if (text.length < 3 || text.length > mostCharacters || !/\p{L}{2}/u.test(text) || /[.,;:!?…]$/.test(text)) return undefined;
    if (!isBlock(element) || kit.children(element).some((child) => isBlock(child) && kit.visibleText(child) === text)) return undefined;
    const elsewhere =
      "h1, h2, h3, h4, h5, h6, [role=heading], a, button, label, legend, caption, figcaption, th, td, li, dt, dd, summary, nav, footer, address," +
      " blockquote, pre, form, table, [role=button], [role=link], [role=tab], [role=img], [aria-hidden=true], [role=navigation], [role=dialog]";
    if (element.matches(elsewhere) || kit.around(element, elsewhere) || element.querySelector("a, button, input, select, img, svg, h1, h2, h3, h4, h5, h6, [role=heading]")) return undefined;
    // The line may be the name of the site, above its slogan.
    const header = kit.around(element, "header, [role=banner]");
    if (header && !kit.around(header, "main, article, section, [role=main], [role=article], [role=region]")) return undefined;
    // The markup makes the line a label of other content.
    if (kit.once("labelling ids", labellingIds).has(element.id)) return undefined;
    const next = following(element);
    if (!next) return undefined;
    const words = kit.visibleText(next);
    if (words.length < Math.max(60, text.length * 1.5) || !kit.matches(next, "p, div, ul, ol")) return undefined;
    const [own, other] = [kit.style(innermost(element, text)), kit.style(innermost(next, words))];
    const [size, otherSize] = [parseFloat(own.fontSize), parseFloat(other.fontSize)];
    const isBold = Number(own.fontWeight) >= 600 && Number(other.fontWeight) < 600;
    if (isNameBelowHeading(words)) return undefined;
    const data = { size: Math.round(size), other: Math.round(otherSize) };
    const isLarge = size >= otherSize * 1.2 && isBold;
    if (isLarge && !isFigure() && !isHeading(element.previousElementSibling) && !beginsWithHeading(next)) return { fails: "looks", data };
    return isLarge || size >= otherSize * 1.4 || (isBold && size >= otherSize) ? { asks: "looks", data } : undefined;

    /** Is the line a price or a quantity? */
    function isFigure(): boolean {
      return /\d/.test(text) && /[€$£¥%+]|\b(EUR|USD|CHF|GBP|Euro)\b/.test(text);
    }

    function isHeading(each: Element | null): boolean {
      return each ? kit.matches(each, "h1, h2, h3, h4, h5, h6, [role=heading]") : false;
    }

    /** Does the following content begin with its own heading? Then the line may be the name of the site. */
    function beginsWithHeading(block: HTMLElement): boolean {
      const first = kit.first(block, "h1, h2, h3, h4, h5, h6, [role=heading]");
      const text = first ? kit.visibleText(first) : "";
      return text !== "" && kit.visibleText(block).startsWith(text);
    }

    /** Is it a name right below a heading, followed by no sentence, such as a job title? Then the heading is that of both. */
    function isNameBelowHeading(below: string): boolean {
      const mostCharacters = 120;
      const parts = text.split(" ");
      const isName = parts.length >= 2 && parts.length <= 4 && parts.every((part) => /^\p{Lu}/u.test(part));
      if (!isName || below.length > mostCharacters || /[.!?…]$/.test(below)) return false;
      return isHeading(element.previousElementSibling ?? kit.previous(element.parentElement ?? element));
    }

    function labellingIds(): Set<string> {
      return new Set(kit.all("[aria-labelledby]").flatMap((labelled) => (labelled.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean)));
    }

    function isBlock(each: Element): boolean {
      return /^(block|flex|grid|list-item|flow-root)$/.test(kit.style(each).display);
    }

    /** The next block, also behind line breaks and empty parts. */
    function following(each: Element): HTMLElement | null {
      for (let at = each.nextElementSibling; at; at = kit.next(at)) {
        if (at instanceof HTMLElement && kit.visibleText(at) !== "") return at;
      }
      return null;
    }

    function innermost(each: Element, whole: string): Element {
      const inner = kit.children(each).find((child) => kit.visibleText(child) === whole) ?? null;
      return inner ? innermost(inner, whole) : each;
    }
  },
};
