import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.2.1, like failure F40 for scripts: after a fixed time, a script leaves the page or ends the session. Whether people can turn that off, or ask for more time, a person has to find out. */
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
    const limit = self === top ? kit.timeLimit() : undefined;
    return limit ? { asks: "limit", data: { seconds: Math.round(limit.ms / 1_000), code: limit.code } } : undefined;
  },
};
