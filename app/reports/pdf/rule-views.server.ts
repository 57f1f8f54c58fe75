import { setImmediate as breathe } from "node:timers/promises";
import { descriptionOf, elementView } from "~/findings/finding-views.server";
import type { FailureList } from "~/findings/check-view";
import { fixOf, impactOnPeople } from "~/findings/rules/catalogue.server";
import { helpAddress } from "~/findings/rules/guide.server";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { titleOf } from "~/findings/rules/titles.server";
import { sanitizeUntrustedText } from "~/findings/untrusted-text";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { PICTURE_TYPE, type Evidence } from "~/findings/evidence.server";
import type { AnswerOf } from "~/reports/review/review.server";
import type { ElementLocation, LocationGroup } from "~/reports/report-elements.server";
import type { Reports, RuleResult } from "~/reports/report.server";
import { addressOf } from "./page-views.server";
import type { ExampleGroup, RuleReport } from "./report-view";
import type { Withheld } from "~/reports/report-entitlement.server";
import { isLocked } from "~/reports/rule-rows.server";
import type { Words } from "./words.server";

/** Limits for readability: groups per rule, and elements per group. */
const MOST_GROUPS = 5;
const MOST_LOCATIONS = 2;
/** Maximum length of markup (characters): enough to find an element, within a few lines. */
const MAX_HTML = 400;
const MAX_TARGET = 300;
const MAX_FIX = 400;

interface RuleSources {
  reports: Pick<Reports, "locationsOf">;
  evidence: Pick<Evidence, "picture">;
  answerOf: AnswerOf;
  withheld: Withheld;
  /** URL of the server, for links. */
  baseUrl: string;
}

/** Rules with violations or elements to review, each with its first elements. */
export async function ruleReports(
  { reports, evidence, answerOf, withheld, baseUrl }: RuleSources,
  runId: string,
  rules: RuleResult[],
  words: Words,
): Promise<RuleReport[]> {
  const views: RuleReport[] = [];
  for (const rule of rules) {
    const { category, ruleId } = rule;
    const hidden = isLocked(rule, withheld);
    const { groups } = hidden ? { groups: [] } : await reports.locationsOf(runId, { category, ruleId, offset: 0, limit: MOST_GROUPS });
    const shown = groups.reduce((sum, { elements }) => sum + elements, 0);
    const examples = groupViews(groups, rule, answerOf, words);
    await addPicture(evidence, runId, rule, groups, examples);
    views.push({
      id: `${category}-${ruleId.replace(/[^\w-]/g, "_")}`,
      ruleId,
      title: titleOf(rule, category, words.locale),
      description: descriptionOf(rule, words.locale),
      impact: rule.impact,
      criteria: criteriaOf(rule.tags).map((number) => criterionName(number, words.locale)),
      people: impactOnPeople(ruleId, rule.tags),
      elements: rule.elements,
      pages: rule.pages,
      helpUrl: helpAddress(rule, baseUrl),
      groups: examples,
      hidden: hidden ? 0 : rule.elements - shown,
      isLocked: hidden,
    });
    await breathe();
  }
  return views;
}

function groupViews(
  groups: LocationGroup[],
  rule: RuleResult,
  answerOf: AnswerOf,
  words: Words,
): ExampleGroup[] {
  const { category, ruleId } = rule;
  const { locale } = words;
  const kind = category === "incomplete" ? "incomplete" : "violations";
  let before = "";
  return groups.flatMap(({ elements, locations }, index) => {
    const [sample] = locations;
    if (!sample) return [];
    const { html, htmlCut, fixes } = elementView(sample, locale, kind);
    const shown = locations.slice(0, MOST_LOCATIONS);
    const same = JSON.stringify(fixes);
    const isNew = same !== before;
    before = same;
    // One fix per rule is enough as an example; long markup would need too many cuts.
    const isFixable = kind === "violations" && index === 0 && html.length <= MAX_HTML;
    return [
      {
        html: sanitizeUntrustedText(html, MAX_HTML),
        htmlCut: htmlCut || html.length > MAX_HTML,
        locations: shown.map((location) => ({
          ...addressOf({ url: location.pageUrl, finalUrl: location.pageFinalUrl }, words),
          number: location.position + 1,
          target: sanitizeUntrustedText(elementView(location, locale, kind).target, MAX_TARGET),
        })),
        inWords: { ...sample.context, lang: knownLanguage(sample.pageLang) },
        picture: null,
        judgement: (kind === "incomplete" && answerOf({ pageUrl: sample.pageUrl, rule, element: sample })) || null,
        fix: isFixable ? fixOf(ruleId, sample, locale) : null,
        more: elements - shown.length,
        fixes: isNew ? fixes.map(shortened) : null,
      },
    ];
  });
}

/** Adds a picture to the first group; one per rule is enough as an example. */
async function addPicture(
  evidence: Pick<Evidence, "picture">,
  runId: string,
  { category, ruleId }: RuleResult,
  groups: LocationGroup[],
  examples: ExampleGroup[],
): Promise<void> {
  for (const [index, { locations }] of groups.entries()) {
    const location = locations.find(isPictured);
    const example = examples[index];
    if (!location || !example) continue;
    const { pageId, position } = location;
    const picture = await evidence.picture(runId, { pageId, category, ruleId, position });
    if (picture) example.picture = `data:${PICTURE_TYPE};base64,${Buffer.from(picture).toString("base64")}`;
    return;
  }
}

const isPictured = (location: ElementLocation): boolean => location.hasPicture === true;

function shortened({ heading, items }: FailureList): FailureList {
  return { heading, items: items.map(({ text, lang }) => ({ text: sanitizeUntrustedText(text, MAX_FIX), lang })) };
}
