import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 3.3.7: a form is refused because of one field, and the text typed into another one is lost, so that users have to enter it again in
 * the same process. 3.3.1 and 3.3.3 require only messages, and 3.3.4 a way to check the sent data. 3.3.7 excepts data needed again for
 * security, or no longer valid, which a person decides.
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
