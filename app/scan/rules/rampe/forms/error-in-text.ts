import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 3.3.1: a form is submitted empty, its script refuses it, and the field only looks different: no text describes the error. */
export const errorInText: PageRule = {
  id: "rampe-error-in-text",
  since: "1.6.0",
  criteria: ["3.3.1"],
  level: "wcag2a",
  category: "forms",
  impact: "serious",
  selector: "input, select, textarea",
  isAdvanced: true,
  condition: "forms",
  judge(element, kit) {
    const field = kit.refusedField(element);
    if (!field || !(field.isInvalid || field.looksWrong)) return undefined;
    if (field.isTold) return field.isUnnamed ? { asks: "unnamed" } : "passes";
    // Screen readers announce `aria-invalid`, and read the label of the focused field.
    const mayBeKnown = field.isInvalid || field.hasFocus || field.mayBeTold || field.hasOtherText || !field.isMissing;
    return mayBeKnown ? { asks: field.isInvalid ? "invalid" : "looks" } : { fails: "looks" };
  },
};
