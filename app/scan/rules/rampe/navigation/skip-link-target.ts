import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique G1: a skip link without a target. Main content or headings are another way to bypass repeated content: techniques ARIA11, H69. */
export const skipLinkTarget: PageRule = {
  id: "rampe-skip-link-target",
  since: "1.0.0",
  criteria: ["2.4.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "serious",
  selector: "a[href^='#']",
  judge(element, kit) {
    const id = idOf(element);
    if (!kit.isSkipLink(element) || /^(|top|!.*|\/.*)$/i.test(id)) return undefined;
    const data = { id: id.slice(0, 60) };
    const target = targetOf(id);
    if (target) return isShown(target) ? "passes" : { asks: "hidden", data };
    // One working skip link is enough.
    const hasOther = kit.all("a[href^='#']").some((link) => kit.isSkipLink(link) && isShown(targetOf(idOf(link))));
    if (hasOther) return { asks: "nowhere", data };
    return kit.hasMainOrHeading() ? { asks: "alone", data } : { fails: "nowhere", data };

    function idOf(link: HTMLElement): string {
      return decoded((link.getAttribute("href") ?? "").slice(1));
    }

    function targetOf(named: string): Element | undefined {
      return document.getElementById(named) ?? document.getElementsByName(named)[0];
    }

    function isShown(part: Element | undefined): boolean {
      return part !== undefined && (kit.isExposed(part) || kit.isVisible(part));
    }

    function decoded(text: string): string {
      try {
        return decodeURIComponent(text);
      } catch {
        return text;
      }
    }
  },
};
