import { CONDITION_OF } from "~/scan/rules/rampe/index";
import type { Condition } from "~/scan/types";

/** How a page was shown or used when a finding of a rule held. */
export const conditionOf = (ruleId: string): "desktop" | Condition => CONDITION_OF.get(ruleId) ?? "desktop";
