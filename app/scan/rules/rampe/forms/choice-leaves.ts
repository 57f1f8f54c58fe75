import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG failures F36 and F37, as `change-of-context`, for listeners that are not attributes: the value of a list, a radio button or a
 * checkbox was changed by a key, or a text field was typed in, and each change led to another page or window. If a text seems to announce that,
 * or if typing moves the focus on, a person decides.
 */
export const choiceLeaves: PageRule = {
  id: "rampe-choice-leaves",
  since: "1.17.0",
  criteria: ["3.2.2"],
  level: "wcag2a",
  category: "forms",
  impact: "serious",
  selector: "select, input",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const choice = kit.keyTrials(element)?.choice;
    if (!choice) return undefined;
    const { leavesTo, isTyped, movesOn } = choice;
    if (leavesTo === undefined) return movesOn ? { asks: "moves" } : "passes";
    if (isJudgedByAttribute()) return undefined;
    const longest = 200;
    const outcome = isTyped ? (leavesTo === "" ? "typedWindow" : "typed") : leavesTo === "" ? "window" : "leaves";
    const data = { address: leavesTo.slice(0, longest) };
    return kit.announcesChange(element) ? { asks: outcome, data } : { fails: outcome, data };

    /** Does the attribute's own code, or a function of the page that it calls, change the context? */
    function isJudgedByAttribute(): boolean {
      const code = ["onchange", "oninput", "onclick", "onkeyup", "onblur"].map((name) => kit.attribute(element, name) ?? "").join("; ");
      return /submit\s*\(|location|\bopen\s*\(/i.test(code) || kit.called(code).some((name) => kit.scripts().includes(`function ${name}(`));
    }
  },
};
