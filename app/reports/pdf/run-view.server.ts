import { engineLabel } from "~/findings/engines";
import { countImpacts } from "~/scan/impact";
import { displayAddress, pick, standardName } from "~/findings/finding-views.server";
import { sanitizeUntrustedText } from "~/findings/untrusted-text";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { criteriaOfStandard, stateOfCriterion } from "~/findings/success-criteria";
import { isWholeRun } from "~/reports/coverage.server";
import type { Evidence } from "~/findings/evidence.server";
import type { Pages } from "~/runs/page.server";
import type { ReportEntitlements } from "~/reports/report-entitlement.server";
import type { CriterionReviewStore } from "~/reports/review/criterion-reviews.server";
import type { CriterionReview, CriterionReviews } from "~/reports/review/verdict";
import type { Reviews } from "~/reports/review/review.server";
import type { PageSummary, Reports, RuleResult } from "~/reports/report.server";
import type { Run } from "~/runs/run.server";
import { CATEGORIES, type Category } from "~/scan/types";
import { extentOf } from "./extent.server";
import { addressOf, failedPages, incompletelyLoaded, partialPages } from "./page-views.server";
import type { CheckedPageRow, CriterionView, Listing, ReportView } from "./report-view";
import { ruleReports } from "./rule-views.server";
import type { Words } from "./words.server";

/** Rows of the table of checked pages, and of each list of others. */
const MOST_PAGES = 300;
const MOST_LISTED = 100;
const MAX_TITLE = 120;
const MAX_URL = 300;

export interface ViewSources {
  reports: Pick<Reports, "rules" | "locationsOf" | "pages">;
  pages: Pick<Pages, "ofRun">;
  evidence: Pick<Evidence, "picture">;
  reviews: Pick<Reviews, "answersOf">;
  criterionReviews: Pick<CriterionReviewStore, "ofRun">;
  reportEntitlements: Pick<ReportEntitlements, "withheld">;
  /** Operator of this installation, if configured. */
  operator: string | null;
  baseUrl: string;
}

/** Collects the content of a run's report. */
export async function viewOfRun(sources: ViewSources, run: Run, words: Words): Promise<ReportView> {
  const rules = await sources.reports.rules(run.id);
  const pages = await sources.pages.ofRun(run.id);
  const answerOf = run.owner === null ? () => undefined : await sources.reviews.answersOf(run.owner, run);
  const verdicts: CriterionReviews = run.owner === null ? new Map() : await sources.criterionReviews.ofRun(run.owner, run);
  const withheld = await sources.reportEntitlements.withheld(run);
  const ruleSources = { ...sources, answerOf, withheld };
  const { pages: summaries } = await sources.reports.pages(run.id, { limit: MOST_PAGES });
  const inCategory = (category: Category) => rules.filter((rule) => rule.category === category);
  const partial = partialPages(pages, words);
  const checked = summaries.filter(({ status }) => status === "succeeded").map((page) => pageRow(page, words));
  const checkedPages = run.stats.pages - run.stats.failedPages;

  return {
    host: displayAddress(run.url),
    url: shortUrl(run.url),
    urlNotes: addressOf({ url: run.url, finalUrl: pages.find(({ position }) => position === 0)?.finalUrl ?? null }, words).notes,
    online: `${sources.baseUrl}/run/${run.id}`,
    scope: run.scope,
    standard: standardName(run),
    inPart: withheld.size > 0,
    engine: engineLabel(run.engines),
    operator: sources.operator,
    checkedAt: run.createdAt,
    canceled: run.status === "canceled",
    evidence: run.evidence,
    brokenOff: run.status === "failed",
    pages: { checked: checkedPages, failed: run.stats.failedPages, partial: partial.length },
    isWhole: isWholeRun(run),
    counts: Object.fromEntries(CATEGORIES.map((category) => [category, inCategory(category).length])) as ReportView["counts"],
    impacts: countImpacts(inCategory("violations")),
    elements: run.stats.elements,
    criteria: criteriaViews(run, rules, verdicts, words),
    violations: await ruleReports(ruleSources, run.id, inCategory("violations"), words),
    review: await ruleReports(ruleSources, run.id, inCategory("incomplete"), words),
    failed: listing(failedPages(pages, words)),
    partial: listing(partial),
    checked: { rows: checked, more: Math.max(0, checkedPages - checked.length) },
    incompletelyLoaded: incompletelyLoaded(pages),
    extent: extentOf(run, words),
    limited: run.crawl?.limited ?? false,
  };
}

function listing<Row>(all: Row[]): Listing<Row> {
  return { rows: all.slice(0, MOST_LISTED), more: Math.max(0, all.length - MOST_LISTED) };
}

function criteriaViews(run: Run, rules: RuleResult[], verdicts: CriterionReviews, { locale }: Words): CriterionView[] {
  const results = new Map<string, Set<Category>>();
  for (const { category, tags } of rules) {
    for (const number of criteriaOf(tags)) results.set(number, (results.get(number) ?? new Set()).add(category));
  }
  return criteriaOfStandard(run.standard).map(({ number, level, clause }) => ({
    name: criterionName(number, locale),
    level,
    clause,
    state: stateOfCriterion(results.get(number) ?? new Set()),
    verdict: verdictOf(verdicts.get(number)),
  }));
}

const verdictOf = (review: CriterionReview | undefined): CriterionView["verdict"] => (!review || review.verdict === "open" ? null : review.verdict);

function pageRow(page: PageSummary, words: Words): CheckedPageRow {
  return {
    ...pick(["violations", "elements", "incomplete"], page),
    ...addressOf(page, words),
    title: sanitizeUntrustedText(page.title, MAX_TITLE),
    titleLang: knownLanguage(page.lang),
  };
}

const shortUrl = (url: string) => sanitizeUntrustedText(url, MAX_URL);
