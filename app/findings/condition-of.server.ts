import { CONDITION_OF } from "~/scan/rules/rampe/index";
import type { ReportedCondition } from "./conditions";

/** How a page was shown or used when a finding of a rule held. */
export const conditionOf = (ruleId: string): ReportedCondition => CONDITION_OF.get(ruleId) ?? "desktop";
