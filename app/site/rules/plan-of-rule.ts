import { isNewAfter } from "~/billing/plans/plan-entitlement";
import type { RuleGuide, RuleLine } from "~/findings/rules/guide.server";

/** `additions`: in all plans, but Basic shows only name and count; `advanced`: in Pro and Enterprise; `aaa`: only in Enterprise. */
export type PlanOfRule = "all" | "additions" | "advanced" | "aaa";

/** Plans that include a rule. */
export function planOfRule({ level, isAdvanced, tags }: Pick<RuleGuide, "level" | "isAdvanced" | "tags">): PlanOfRule {
  const above = planAboveBasic({ level, isAdvanced });
  return above ?? (isNewAfter("2.1", tags) ? "additions" : "all");
}

/** Plans of a rule that Basic does not run; null for a rule of every plan. */
export function planAboveBasic({ level, isAdvanced }: Pick<RuleLine, "level" | "isAdvanced">): "advanced" | "aaa" | null {
  if (level === "AAA") return "aaa";
  return isAdvanced ? "advanced" : null;
}
