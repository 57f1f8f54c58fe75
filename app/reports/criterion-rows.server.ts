import { isOpen, type RuleResult } from "./report.server";
import { SHOWN_IN, type ShownIn, type Standard } from "~/scan/types";
import { NOTHING_WITHHELD } from "./report-entitlement.server";
import { isLocked } from "./rule-rows.server";
import type { Locale } from "~/platform/i18n/i18n";
import type { ConditionRow, CriterionRow } from "./report-view";
import { conditionsOf, hasOwnCondition } from "~/findings/condition-of.server";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { tagsOfInstalled } from "~/findings/rules/guide.server";
import { titleOf } from "~/findings/rules/titles.server";
import { criteriaOfStandard, stateOfCriterion } from "~/findings/success-criteria";

/** Results of a run. */
export interface RunResults {
  /** All rules, also those that are accepted as a whole. */
  rules: RuleResult[];
  /** Ids of the rules that did not finish on at least one page; they may have results too. */
  unfinished: string[];
}

/** Result of a run for each success criterion of its standard. */
export function criterionRows(standard: Standard, results: RunResults, locale: Locale, withheld = NOTHING_WITHHELD): CriterionRow[] {
  const resultsAbout = byCriterion(results);
  return criteriaOfStandard(standard).map(({ number, level, clause }) => {
    const { rules, unfinished } = resultsAbout(number);
    return {
      number,
      name: nameOf(number, locale),
      level,
      clause,
      state: stateOf(rules, unfinished.length > 0),
      isUnfinished: unfinished.length > 0,
      rules: rules
        .filter(({ category }) => category === "violations" || category === "incomplete")
        .map((rule) => ({ ruleId: rule.ruleId, category: rule.category, title: titleOf(rule, rule.category, locale), isLocked: isLocked(rule, withheld), isOpen: isOpen(rule) })),
    };
  });
}

/** Results by condition, for each criterion that is tested in more than the usual condition. */
export function conditionRows(standard: Standard, results: RunResults, locale: Locale): ConditionRow[] {
  const resultsAbout = byCriterion(results);
  const ofResult = conditionsOf([...results.rules, ...results.unfinished.map((ruleId) => ({ ruleId }))]);
  const isIn = ({ ruleId, conditions }: RuleResult, condition: ShownIn) => conditions.some((each) => ofResult(ruleId, each ? [each] : undefined).includes(condition));
  return criteriaOfStandard(standard).flatMap(({ number }) => {
    const { rules, unfinished } = resultsAbout(number);
    const stateIn = (condition: ShownIn) => {
      const inCondition = rules.filter((rule) => isIn(rule, condition));
      return stateOf(inCondition, unfinished.some((ruleId) => mayBeUnfinishedIn(condition, ruleId, inCondition)));
    };
    const states = Object.fromEntries(SHOWN_IN.map((condition) => [condition, stateIn(condition)])) as ConditionRow["states"];
    if (!SHOWN_IN.some((condition) => condition !== "desktop" && states[condition] !== "not_tested")) return [];
    return [{ number, name: nameOf(number, locale), states }];
  });

  /** A rule without a condition of its own is repeated in others. Where it did not finish is not stored, so all are possible in which such rules ran. */
  function mayBeUnfinishedIn(condition: ShownIn, ruleId: string, inCondition: RuleResult[]): boolean {
    return ofResult(ruleId).includes(condition) || (!hasOwnCondition(ruleId) && inCondition.some((rule) => !hasOwnCondition(rule.ruleId)));
  }
}

/** A rule that finished nowhere has no result with tags. */
function byCriterion({ rules, unfinished }: RunResults): (criterion: string) => RunResults {
  const criteria = new Map(unfinished.map((ruleId) => [ruleId, criteriaOf((rules.find((rule) => rule.ruleId === ruleId) ?? { tags: tagsOfInstalled(ruleId) }).tags)]));
  return (criterion) => ({
    rules: rules.filter(({ tags }) => criteriaOf(tags).includes(criterion)),
    unfinished: unfinished.filter((ruleId) => criteria.get(ruleId)?.includes(criterion)),
  });
}

const stateOf = (rules: RuleResult[], isUnfinished: boolean) =>
  stateOfCriterion(new Set(rules.filter(isOpen).map(({ category }) => category)), { isAccepted: !rules.every(isOpen), isUnfinished });

const nameOf = (number: string, locale: Locale) => criterionName(number, locale).slice(number.length + 1);
