import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique ARIA1 and the rules of aria-errormessage: an error that is announced must exist and be perceivable. */
export const errorReference: PageRule = {
  id: "rampe-error-reference",
  since: "1.0.0",
  criteria: ["3.3.1", "4.1.2"],
  level: "wcag2a",
  category: "forms",
  impact: "serious",
  selector: "[aria-errormessage]",
  judge(element, kit) {
    if (!kit.isExposed(element)) return undefined;
    const attribute = "aria-errormessage";
    const ids = (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean);
    if (ids.length === 0) return undefined;
    // Many messages are added to the page together with the error.
    const isInvalid = /^(true|grammar|spelling)$/.test(element.getAttribute("aria-invalid") ?? "");
    if (!isInvalid) return "passes";
    const found = kit.referenced(element, attribute);
    const data = { attribute, ids: ids.join(" ").slice(0, 60) };
    if (found.length < ids.length) return { fails: "missing", data };
    return found.some((message) => kit.isExposed(message) && kit.visibleText(message) !== "") ? "passes" : { fails: "hidden", data };
  },
};
