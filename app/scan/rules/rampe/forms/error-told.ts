import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F103 for errors: a form is submitted empty, its script shows a message, and screen readers do not announce it. */
export const errorTold: PageRule = {
  id: "rampe-error-told",
  since: "1.6.0",
  criteria: ["4.1.3"],
  level: "wcag21aa",
  category: "forms",
  impact: "serious",
  selector: "*",
  isAdvanced: true,
  condition: "forms",
  judge(element, kit) {
    const message = kit.formMessage(element);
    if (!message) return undefined;
    const { text, isTold, isBesideField, isLinked, isApart, isFirst } = message;
    const data = { text: kit.excerpt(text) };
    if (isTold && !isApart) return "passes";
    if (!isTold && isBesideField && !isLinked) return { fails: "untold", data };
    // One answer applies to all messages of a form.
    if (!isFirst) return undefined;
    if (isTold) return { asks: "apart", data };
    return isBesideField ? { asks: "linked", data } : { asks: "general", data };
  },
};
