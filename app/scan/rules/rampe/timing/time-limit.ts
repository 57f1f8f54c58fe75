import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.2.1, like failure F40 for scripts: a script leaves the page or ends the session after a fixed time. A person has to find out
 * whether users can turn that off, or ask for more time.
 */
export const timeLimit: PageRule = {
  id: "rampe-time-limit",
  since: "1.17.0",
  criteria: ["2.2.1"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "serious",
  selector: "html",
  isAdvanced: true,
  judge(_element, kit) {
    const [limit] = self === top ? kit.timeLimits() : [];
    return limit ? { asks: "limit", data: { seconds: Math.round(limit.ms / 1_000), code: limit.code } } : undefined;
  },
};
