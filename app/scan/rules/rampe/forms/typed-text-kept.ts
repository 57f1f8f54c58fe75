import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 3.3.7: a form is refused because of one field, and the text typed into another one is gone, so that people have to enter it again in the
 * same process. 3.3.1 and 3.3.3 ask for messages alone, and 3.3.4 for a way to check what is sent. 3.3.7 excepts what is needed again for
 * security, or is no longer valid, which a person decides.
 */
export const typedTextKept: PageRule = {
  id: "rampe-typed-text-kept",
  since: "1.17.0",
  criteria: ["3.3.7"],
  level: "wcag22a",
  category: "forms",
  impact: "moderate",
  selector: "input, textarea",
  isAdvanced: true,
  condition: "forms",
  judge(element, kit) {
    const text = kit.typedText(element);
    return text === "lost" ? { asks: "lost" } : text === "kept" ? "passes" : undefined;
  },
};
