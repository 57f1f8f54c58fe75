import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F55: a script removes the focus as soon as an element gets it. */
export const focusRemoved: PageRule = {
  id: "rampe-focus-removed",
  since: "1.0.0",
  criteria: ["2.1.1", "2.4.7", "3.2.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "[onfocus], a[href], area[href], button, input, select, textarea, summary, [tabindex]",
  condition: "keyboard",
  judge(element, kit) {
    if (!kit.isVisible(element) || !kit.isFocusable(element)) return undefined;
    if (kit.stop(element)?.loses) return { fails: "lost" };
    if (!element.hasAttribute("onfocus")) return kit.stop(element) && "passes";
    return /(^|[^\w.]|this\.|event\.target\.|document\.activeElement\.)blur\s*\(\s*\)/.test(element.getAttribute("onfocus") ?? "") ? { fails: "blur" } : "passes";
  },
};
