import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique G1: after a skip link, the focus continues at its target. */
export const skipLinkUse: PageRule = {
  id: "rampe-skip-link-use",
  since: "1.8.0",
  criteria: ["2.4.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "serious",
  selector: "a[href^='#']",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const skipLink = kit.isSkipLink(element) && kit.keyTrials(element)?.skipLink;
    if (!skipLink) return undefined;
    if (skipLink.reaches) return "passes";
    // One working skip link is enough.
    const hasOther = kit.all("a[href^='#']").some((link) => kit.isSkipLink(link) && kit.keyTrials(link)?.skipLink?.reaches === true);
    if (!skipLink.isIgnored) return { asks: "elsewhere" };
    if (hasOther) return { asks: "ignored" };
    // Main content or headings are another way to bypass repeated content: techniques ARIA11 and H69.
    return kit.hasMainOrHeading() ? { asks: "alone" } : { fails: "ignored" };
  },
};
