import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H56: an invalid direction has no effect. It does harm if the text then has the wrong direction for its letters. */
export const invalidDirection: PageRule = {
  id: "rampe-invalid-direction",
  since: "1.0.0",
  criteria: ["1.3.2"],
  level: "wcag2a",
  category: "language",
  impact: "moderate",
  selector: "[dir]",
  judge(element, kit) {
    const text = kit.visibleText(element);
    const value = (element.getAttribute("dir") ?? "").trim();
    if (text === "" || value === "") return undefined;
    if (/^(ltr|rtl|auto)$/i.test(value)) return "passes";
    const leftward = text.match(/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu)?.length ?? 0;
    const rightward = (text.match(/\p{L}/gu)?.length ?? 0) - leftward;
    const runsLeft = kit.style(element).direction === "rtl";
    const isWrong = runsLeft ? rightward > leftward : leftward > rightward;
    return isWrong ? { fails: "value", data: { value: value.slice(0, 30) } } : "passes";
  },
};
