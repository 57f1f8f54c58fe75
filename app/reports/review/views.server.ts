import type { Locale } from "~/platform/i18n/i18n";
import { reachedBy } from "~/findings/page-address";
import { locationView } from "~/reports/element-locations.server";
import type { RuleResult } from "~/reports/report.server";
import { rulePath } from "~/reports/report-view";
import { guidanceOf } from "~/findings/rules/catalogue.server";
import { helpAddress } from "~/findings/rules/guide.server";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { titleOf } from "~/findings/rules/titles.server";
import { questionId, type QuestionsOfRule, type QuestionView } from "./view";
import { textFragment } from "~/findings/text-fragment";
import type { ReviewGroup } from "./review.server";

/**
 * Questions on one page of the list, grouped by rule, in the order of the list.
 * @param of all rules of the run
 */
export function questionsByRule(runId: string, groups: ReviewGroup[], of: RuleResult[], locale: Locale): QuestionsOfRule[] {
  const rules = new Map<string, QuestionsOfRule>();
  for (const group of groups) {
    const { rule, impact } = group;
    const known = rules.get(rule.ruleId) ?? {
      ruleId: rule.ruleId,
      title: titleOf(rule, "incomplete", locale),
      impact,
      criteria: criteriaOf(rule.tags).map((number) => criterionName(number, locale)),
      helpUrl: helpAddress(rule),
      guidance: guidanceOf(rule.ruleId, rule.tags),
      questions: [],
    };
    known.questions.push(question(runId, group, of, locale));
    rules.set(rule.ruleId, known);
  }
  return [...rules.values()];
}

function question(runId: string, group: ReviewGroup, of: RuleResult[], locale: Locale): QuestionView {
  const { rule, fingerprint, sample, elements, pages, locations, review, isAnswered } = group;
  const path = rulePath(`/run/${runId}`, { category: "incomplete", ruleId: rule.ruleId });
  return {
    id: questionId(rule.ruleId, fingerprint),
    fingerprint,
    sample: locationView(sample, locale, { category: "incomplete", ruleId: rule.ruleId, of }),
    elements,
    pages,
    locations: locations.map(({ pageId, pageUrl, pageFinalUrl, position }) => ({
      path: `${path}/${pageId}/${position}`,
      pageUrl,
      pageReached: reachedBy({ url: pageUrl, finalUrl: pageFinalUrl }),
      openUrl: textFragment(pageUrl, sample.html),
    })),
    review,
    isAnswered,
  };
}
