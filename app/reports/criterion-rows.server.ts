import type { RuleResult } from "./report.server";
import type { Standard } from "~/scan/types";
import { NOTHING_WITHHELD } from "./report-entitlement.server";
import { isLocked } from "./rule-rows.server";
import { helpOf } from "~/findings/finding-views.server";
import type { Locale } from "~/platform/i18n/i18n";
import type { CriterionRow } from "./report-view";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { criteriaOfStandard, stateOfCriterion } from "~/findings/success-criteria";

/** The result of a run for each success criterion of its standard. */
export function criterionRows(standard: Standard, rules: RuleResult[], locale: Locale, withheld = NOTHING_WITHHELD): CriterionRow[] {
  return criteriaOfStandard(standard).map(({ number, level, clause }) => {
    const about = rules.filter(({ tags }) => criteriaOf(tags).includes(number));
    return {
      number,
      name: criterionName(number, locale).slice(number.length + 1),
      level,
      clause,
      state: stateOfCriterion(new Set(about.map(({ category }) => category))),
      rules: about
        .filter(({ category }) => category === "violations" || category === "incomplete")
        .map((rule) => ({ ruleId: rule.ruleId, category: rule.category, help: helpOf(rule, locale), isLocked: isLocked(rule, withheld) })),
    };
  });
}
