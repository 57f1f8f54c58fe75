import { isOpen, type RuleResult } from "./report.server";
import { SHOWN_IN, type ShownIn, type Standard } from "~/scan/types";
import { NOTHING_WITHHELD } from "./report-entitlement.server";
import { isLocked } from "./rule-rows.server";
import type { Locale } from "~/platform/i18n/i18n";
import type { ConditionRow, CriterionRow } from "./report-view";
import { conditionsOf } from "~/findings/condition-of.server";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { titleOf } from "~/findings/rules/titles.server";
import { criteriaOfStandard, stateOfCriterion } from "~/findings/success-criteria";

/** Result of a run for each success criterion of its standard. @param rules all rules, also those that are accepted as a whole */
export function criterionRows(standard: Standard, rules: RuleResult[], locale: Locale, withheld = NOTHING_WITHHELD): CriterionRow[] {
  return criteriaOfStandard(standard).map(({ number, level, clause }) => {
    const about = rules.filter(({ tags }) => criteriaOf(tags).includes(number));
    return {
      number,
      name: nameOf(number, locale),
      level,
      clause,
      state: stateOf(about),
      rules: about
        .filter(({ category }) => category === "violations" || category === "incomplete")
        .map((rule) => ({ ruleId: rule.ruleId, category: rule.category, title: titleOf(rule, rule.category, locale), isLocked: isLocked(rule, withheld), isOpen: isOpen(rule) })),
    };
  });
}

/** Results by condition, for each criterion that is tested in more than the usual condition. */
export function conditionRows(standard: Standard, rules: RuleResult[], locale: Locale): ConditionRow[] {
  const ofResult = conditionsOf(rules);
  const isIn = ({ ruleId, conditions }: RuleResult, condition: ShownIn) => conditions.some((each) => ofResult(ruleId, each ? [each] : undefined).includes(condition));
  return criteriaOfStandard(standard).flatMap(({ number }) => {
    const about = rules.filter(({ tags }) => criteriaOf(tags).includes(number));
    if (!SHOWN_IN.some((condition) => condition !== "desktop" && about.some((rule) => isIn(rule, condition)))) return [];
    const stateIn = (condition: ShownIn) => stateOf(about.filter((rule) => isIn(rule, condition)));
    const states = Object.fromEntries(SHOWN_IN.map((condition) => [condition, stateIn(condition)])) as ConditionRow["states"];
    return [{ number, name: nameOf(number, locale), states }];
  });
}

const stateOf = (rules: RuleResult[]) => stateOfCriterion(new Set(rules.filter(isOpen).map(({ category }) => category)), !rules.every(isOpen));

const nameOf = (number: string, locale: Locale) => criterionName(number, locale).slice(number.length + 1);
