import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F87: words that exist only in style sheets. */
export const cssText: PageRule = {
  id: "rampe-css-text",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "structure",
  impact: "moderate",
  selector: "body, body *",
  judge(element, kit) {
    const selectors = kit.once("selectors with added words", () =>
      kit.styleRules().flatMap(({ selector, style }) => {
        const [, quoted = ""] = /^["'](.*)["']$/s.exec(style.content) ?? [];
        // The value of a variable is known only at the element.
        return (/\p{L}{3}/u.test(quoted) || style.content.includes("var(")) && /::?(before|after)/.test(selector) ? [selector.replace(/::?(before|after)/g, "")] : [];
      }),
    );
    if (!selectors.some((selector) => kit.matches(element, selector || "*"))) return undefined;
    const added = (["::before", "::after"] as const).flatMap((part) => {
      const { content, display, visibility, fontFamily } = getComputedStyle(element, part);
      const [, quoted = ""] = /^"(.*?)"(?: \/ .*)?$/s.exec(content) ?? [];
      const isDrawn = display !== "none" && visibility === "visible" && !kit.isIconFont(fontFamily);
      return isDrawn && /\p{L}{3}/u.test(quoted) && !/^[a-z]+(_[a-z\d]+)+$/.test(quoted) ? [quoted] : [];
    });
    const [words] = added;
    if (words === undefined || !kit.isVisible(element)) return undefined;
    return { fails: "words", data: { words: words.slice(0, 60) } };
  },
};
