import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F36, applied to the focus: the focus alone opens another page or sends a form. If it moves on, a person decides. */
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
  judge(element, kit): Judgement | undefined {
    const longest = 200;
    const target = kit.movedFocus(element);
    const name = target && (kit.name(target) || kit.visibleText(target)).slice(0, longest);
    if (target) return name ? { asks: "moves", data: { name } } : { asks: "movesSomewhere" };
    const stop = kit.stop(element);
    if (!stop) return undefined;
    return stop.leavesTo === undefined ? "passes" : { fails: "leaves", data: { address: stop.leavesTo.slice(0, longest) } };
  },
};
