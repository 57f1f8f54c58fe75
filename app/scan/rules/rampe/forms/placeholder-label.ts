import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique G131, H90: a label that disappears as soon as somebody types. */
export const placeholderLabel: PageRule = {
  id: "rampe-placeholder-label",
  criteria: ["3.3.2"],
  level: "wcag2a",
  category: "forms",
  impact: "moderate",
  selector: "input[placeholder], textarea[placeholder]",
  judge(element, kit) {
    const field = element as HTMLInputElement;
    if (!kit.isVisible(field) || field.type === "search" || field.disabled || field.readOnly) return undefined;
    const labels = [...(field.labels ?? []), ...kit.referenced(field, "aria-labelledby")];
    if (labels.some((label) => kit.isVisible(label) && kit.visibleText(label) !== "")) return "passes";
    if (/^(search|combobox)$/.test(field.getAttribute("role") ?? "") || kit.around(field, "[role=search], search, form[action*=search], form[action*=suche]")) return undefined;
    return field.placeholder.trim() === "" ? undefined : { asks: "placeholder", data: { placeholder: field.placeholder.trim().slice(0, 60) } };
  },
};
