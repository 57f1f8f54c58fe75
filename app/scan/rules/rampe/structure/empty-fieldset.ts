import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F43: a group of fields without fields, drawn for its border. */
export const emptyFieldset: PageRule = {
  id: "rampe-empty-fieldset",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "structure",
  impact: "minor",
  selector: "fieldset",
  judge(element, kit) {
    if (/^(none|presentation)$/.test(element.getAttribute("role") ?? "") || kit.visibleText(element) === "") return undefined;
    const fields = "input, select, textarea, button, output, meter, progress, object, iframe, [contenteditable], [tabindex], [role]";
    const hasCustom = [...element.querySelectorAll("*")].some(({ localName }) => localName.includes("-"));
    return element.querySelector(fields) || hasCustom ? "passes" : { fails: "empty" };
  },
};
