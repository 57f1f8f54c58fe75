import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F36, applied to the focus: the focus alone opens another page or sends a form. */
export const focusContext: PageRule = {
  id: "rampe-focus-context",
  since: "1.5.0",
  criteria: ["3.2.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "serious",
  selector: "a[href], area[href], button, input, select, textarea, summary, [tabindex]",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const stop = kit.stop(element);
    if (!stop) return undefined;
    const longest = 200;
    return stop.leavesTo === undefined ? "passes" : { fails: "leaves", data: { address: stop.leavesTo.slice(0, longest) } };
  },
};
