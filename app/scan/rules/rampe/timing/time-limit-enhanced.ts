import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.2.3: a script leaves the page after a fixed time. Here it does not suffice that users can ask for more time: a person has to find
 * out whether the time is essential. Auctions happen in real time and are excepted.
 */
export const timeLimitEnhanced: PageRule = {
  id: "rampe-time-limit-enhanced",
  since: "1.21.0",
  criteria: ["2.2.3"],
  level: "wcag2aaa",
  category: "time-and-media",
  impact: "moderate",
  selector: "html",
  isAdvanced: true,
  judge(_element, kit) {
    const [limit] = self === top ? kit.timeLimits() : [];
    if (!limit) return undefined;
    const titles = [document.title, ...kit.all("h1, h2").map((heading) => kit.visibleText(heading))].join("\n");
    if (/auction|auktion|versteigerung/i.test(titles)) return undefined;
    return { asks: "limit", data: { seconds: Math.round(limit.ms / 1_000), code: limit.code } };
  },
};
