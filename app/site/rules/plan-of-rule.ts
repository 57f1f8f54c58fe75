import { isNewAfter } from "~/billing/plans/plan-entitlement";
import type { RuleGuide, RuleLine } from "~/findings/rules/guide.server";

/** `additions`: in all, but Basic shows name and count alone; `advanced`: in Pro and Enterprise; `aaa`: in Enterprise alone. */
export type PlanOfRule = "all" | "additions" | "advanced" | "aaa";

/** Which plans include a rule. */
export function planOfRule({ level, isAdvanced, tags }: Pick<RuleGuide, "level" | "isAdvanced" | "tags">): PlanOfRule {
  const above = planAboveBasic({ level, isAdvanced });
  return above ?? (isNewAfter("2.1", tags) ? "additions" : "all");
}

/** The plans of a rule that Basic does not run; null for one that every plan runs. */
export function planAboveBasic({ level, isAdvanced }: Pick<RuleLine, "level" | "isAdvanced">): "advanced" | "aaa" | null {
  if (level === "AAA") return "aaa";
  return isAdvanced ? "advanced" : null;
}
