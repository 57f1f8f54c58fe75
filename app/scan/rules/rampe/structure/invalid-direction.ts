import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H56: a direction that browsers do not know has no effect. */
export const invalidDirection: PageRule = {
  id: "rampe-invalid-direction",
  since: "1.0.0",
  criteria: ["1.3.2"],
  level: "wcag2a",
  category: "language",
  impact: "moderate",
  selector: "[dir]",
  judge(element, kit) {
    if (kit.visibleText(element) === "") return undefined;
    const value = element.getAttribute("dir") ?? "";
    return /^(ltr|rtl|auto)$/i.test(value) ? "passes" : { fails: "value", data: { value: value.slice(0, 30) } };
  },
};
