import { RULES_OF_USE } from "~/scan/rules/rampe/index";

/** How a page was used when a finding of a rule held. */
export const conditionOf = (ruleId: string): "desktop" | "keyboard" => (RULES_OF_USE.has(ruleId) ? "keyboard" : "desktop");
