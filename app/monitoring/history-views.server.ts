import { CHANGE_KINDS, type ChangeKind } from "./compare";
import type { ChangedGroup, RuleChanges } from "./comparison-summary";
import type { ChangedRuleView, ChangesView, ComparedRun, TrendPoint } from "./history-view";
import type { Locale } from "~/platform/i18n/i18n";
import { engineNames } from "~/findings/engines";
import { reachedBy } from "~/findings/page-address";
import { rulePath } from "~/reports/report-view";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { titleOf } from "~/findings/rules/titles.server";
import type { RunComparison } from "./comparison.server";
import { standardName } from "~/findings/finding-views.server";
import type { HistoryEntry } from "./history.server";
import type { Run } from "~/runs/run";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

/** Number of characters that is enough to recognise a component. */
const SHOWN_CHARACTERS = 300;
const SHOWN_PAGES = 20;

/**
 * Changes between two runs, in the viewer's language.
 * @param withheld rules whose elements are not shown
 */
export function changesView(comparison: RunComparison, locale: Locale, withheld: readonly string[] = []): ChangesView {
  const { before, now, rules, totals, pages, accepted } = comparison;
  const of = (kind: ChangeKind) =>
    rules.filter(({ counts }) => counts[kind] > 0).map((rule) => changedRule(rule, kind, idOf(kind, comparison), locale))
      .map((rule) => (withheld.includes(rule.ruleId) ? { ...rule, groups: [], isLocked: true } : rule));
  return {
    before: comparedRun(before),
    now: comparedRun(now),
    totals,
    rules: Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, of(kind)])) as ChangesView["rules"],
    pages: pages.slice(0, SHOWN_PAGES),
    pageCount: pages.length,
    accepted,
  };
}

/** One run of a history, for the chart and the table. */
export function trendPoint({ run, elements, acceptedUnknown }: HistoryEntry): TrendPoint {
  const { id, createdAt, status, isAdvanced, stats } = run;
  const { pages, failedPages, violatedRules, elements: total, accepted } = stats;
  const how = { standard: standardName(run), engine: engineNames(run.engines), isAdvanced, pages, failedPages };
  return { id, createdAt, status, ...how, violatedRules, elements, total, accepted, acceptedUnknown };
}

/** Option for a select field: the run's time, in the time zone of `LocalTime`. */
export function runChoice({ id, createdAt }: Run, locale: Locale): { id: string; label: string } {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE });
  return { id, label: format.format(createdAt) };
}

function comparedRun(run: Run): ComparedRun {
  const { pages, failedPages } = run.stats;
  return { id: run.id, createdAt: run.createdAt, standard: standardName(run), engine: engineNames(run.engines), pages, failedPages };
}


/** Id of the run whose report has the elements of a kind. */
const idOf = (kind: ChangeKind, { before, now }: RunComparison) =>
  kind === "fixed" || kind === "not_checked_after" ? before.id : now.id;

function changedRule(rule: RuleChanges, kind: ChangeKind, runId: string, locale: Locale): ChangedRuleView {
  const path = rulePath(`/run/${runId}`, { category: "violations", ruleId: rule.ruleId });
  return {
    ruleId: rule.ruleId,
    title: titleOf(rule, "violations", locale),
    impact: rule.impact,
    criteria: criteriaOf(rule.tags).map((number) => criterionName(number, locale)),
    count: rule.counts[kind],
    groups: rule.groups[kind].map((group) => groupView(group, path)),
    path,
    isLocked: false,
  };
}

function groupView({ elements, pages, element }: ChangedGroup, path: string) {
  const { html, htmlCut, pageId, pageUrl, pageFinalUrl, position } = element;
  const shown = html.slice(0, SHOWN_CHARACTERS).toWellFormed();
  return {
    elements,
    pages,
    html: shown,
    htmlCut: htmlCut || shown.length < html.length,
    path: `${path}/${pageId}/${position}`,
    pageUrl,
    pageReached: reachedBy({ url: pageUrl, finalUrl: pageFinalUrl }),
  };
}
