import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * A field without a name, because its label belongs to an earlier element with the same id. axe-core's rule `label` compares ids as texts,
 * so such a field passes there.
 */
export const takenLabel: PageRule = {
  id: "rampe-taken-label",
  since: "1.18.0",
  criteria: ["4.1.2"],
  level: "wcag2a",
  category: "forms",
  impact: "serious",
  selector: "input[id], select[id], textarea[id]",
  judge(element, kit) {
    const id = kit.attribute(element, "id") ?? "";
    if (kit.matches(element, "[type=hidden], [type=submit], [type=button], [type=reset], [type=image]") || !kit.isExposed(element)) return undefined;
    const labels = kit.all("label[for]").filter((label) => kit.attribute(label, "for") === id && label.getRootNode() === element.getRootNode());
    if (labels.length === 0) return undefined;
    if (labels.some((label) => (label as HTMLLabelElement).control === element)) return "passes";
    const names = ["aria-label", "title", "placeholder"].map((name) => kit.attribute(element, name)?.trim());
    if (names.some(Boolean) || kit.referenced(element, "aria-labelledby").length > 0 || kit.around(element, "label")) return "passes";
    const isBefore = (label: Element) => (label.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
    const nearest = labels.findLast(isBefore) ?? (labels[0] as Element);
    const words = (kit.visibleText(nearest) || kit.text(nearest).trim()).slice(0, 60);
    return { fails: "taken", data: { id, words } };
  },
};
