import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import { engineLabel } from "~/findings/engines";
import { countImpacts } from "~/scan/impact";
import { displayAddress, pick, standardName } from "~/findings/finding-views.server";
import { sanitizeUntrustedText } from "~/findings/untrusted-text";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { hasAdvancedRules } from "~/findings/rules/guide.server";
import { titleOf } from "~/findings/rules/titles.server";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import { criterionName } from "~/findings/rules/criteria.server";
import { criterionRows, type RunResults } from "~/reports/criterion-rows.server";
import { endedEarly, isWholeRun, unfinishedOn } from "~/reports/coverage.server";
import type { Evidence } from "~/findings/evidence.server";
import type { Pages } from "~/runs/page.server";
import { withoutWithheld, type ReportEntitlements, type Withheld } from "~/reports/report-entitlement.server";
import type { ReportCovers } from "~/reports/report-cover.server";
import type { CriterionReviewStore } from "~/reports/review/criterion-reviews.server";
import type { CriterionReview, CriterionReviews } from "~/reports/review/verdict";
import type { Reviews } from "~/reports/review/review.server";
import { isOpen, type PageSummary, type Reports, type RuleResult } from "~/reports/report.server";
import type { Run } from "~/runs/run";
import { CATEGORIES, type Category } from "~/scan/types";
import { extentOf } from "./extent.server";
import { addressOf, failedPages, incompletelyLoaded, partialPages } from "./page-views.server";
import type { AcceptedView, CheckedPageRow, CriterionView, Listing, OnlineReport, ReportView } from "./report-view";
import { ruleReports } from "./rule-views.server";
import type { Words } from "./words.server";

/** Maximum number of rows of the table of checked pages, and of each other list of pages. */
const MOST_PAGES = 300;
const MOST_LISTED = 100;
const MAX_TITLE = 120;
const MAX_URL = 300;

export interface ViewSources {
  reports: Pick<Reports, "allRules" | "locationsOf" | "pages">;
  pages: Pick<Pages, "ofRun">;
  evidence: Pick<Evidence, "picture" | "isUnreachable">;
  reviews: Pick<Reviews, "answersOf">;
  criterionReviews: Pick<CriterionReviewStore, "ofRun">;
  acceptances: Pick<Acceptances, "ofRun" | "ofWebsite" | "isUnknownIn">;
  reportEntitlements: Pick<ReportEntitlements, "withheld">;
  reportCovers: Pick<ReportCovers, "shownFor">;
  /** Operator of this installation, if configured. */
  operator: string | null;
  baseUrl: string;
}

/** Collects the content of a run's report. @param shared public link to the report; limits the content to that of its page */
export async function viewOfRun(sources: ViewSources, run: Run, words: Words, shared?: OnlineReport): Promise<ReportView> {
  const allRules = await sources.reports.allRules(run.id);
  const rules = allRules.filter(isOpen);
  const pages = await sources.pages.ofRun(run.id);
  const answerOf = run.owner === null || shared ? () => undefined : await sources.reviews.answersOf(run.owner, run);
  const verdicts: CriterionReviews = run.owner === null ? new Map() : await sources.criterionReviews.ofRun(run.owner, run);
  const withheld = await sources.reportEntitlements.withheld(run);
  const ruleSources = { ...sources, answerOf, withheld };
  const { pages: summaries } = await sources.reports.pages(run.id, { limit: MOST_PAGES });
  const inCategory = (category: Category) => rules.filter((rule) => rule.category === category);
  const partial = partialPages(pages, words);
  const unfinished = unfinishedOn(pages);
  const checked = summaries.filter(({ status }) => status === "succeeded").map((page) => pageRow(page, words));
  const checkedPages = run.stats.pages - run.stats.failedPages;
  const violations = await ruleReports(ruleSources, run.id, inCategory("violations"), words);
  const review = await ruleReports(ruleSources, run.id, inCategory("incomplete"), words);

  return {
    cover: await sources.reportCovers.shownFor(run.owner),
    host: displayAddress(run.url),
    url: shortUrl(run.url),
    urlNotes: addressOf({ url: run.url, finalUrl: pages.find(({ position }) => position === 0)?.finalUrl ?? null }, words).notes,
    online: shared ?? { url: `${sources.baseUrl}/run/${run.id}`, sharedUntil: null },
    scope: run.scope,
    standard: standardName(run),
    inPart: withheld.size > 0,
    engine: engineLabel(run.engines),
    operator: sources.operator,
    checkedAt: run.finishedAt ?? run.createdAt,
    canceled: run.status === "canceled",
    evidence: run.evidence,
    acceptedUnknown: await sources.acceptances.isUnknownIn(run),
    brokenOff: run.status === "failed",
    pages: { checked: checkedPages, failed: run.stats.failedPages, partial: partial.length },
    isWhole: isWholeRun(run),
    counts: Object.fromEntries(CATEGORIES.map((category) => [category, inCategory(category).length])) as ReportView["counts"],
    impacts: countImpacts(inCategory("violations")),
    elements: rules.reduce((sum, { category, elements }) => (category === "violations" ? sum + elements : sum), 0),
    accepted: await acceptedViews(sources, run, { rules: allRules, withheld, isShared: shared !== undefined }, words),
    criteria: criteriaViews(run, { rules: allRules, unfinished }, verdicts, words),
    violations,
    review,
    // Read last: failed reads above change the answer.
    picturesUnreachable: await sources.evidence.isUnreachable(run.id),
    failed: listing(failedPages(pages, words)),
    partial: listing(partial),
    checked: { rows: checked, more: Math.max(0, checkedPages - checked.length) },
    incompletelyLoaded: incompletelyLoaded(pages),
    inUse: hasAdvancedRules([...allRules.map(({ ruleId }) => ruleId), ...unfinished]),
    extent: extentOf(run, words),
    limited: endedEarly(run),
  };
}

async function acceptedViews({ acceptances }: Pick<ViewSources, "acceptances">, run: Run, { rules, withheld, isShared }: { rules: RuleResult[]; withheld: Withheld; isShared: boolean }, { locale }: Words): Promise<ReportView["accepted"]> {
  const { sums, extent } = await acceptances.ofRun(run.id);
  const all = run.owner === null || extent.size === 0 ? [] : await acceptances.ofWebsite(run.owner, run);
  const rows = all.map((each) => withoutWithheld(each, withheld)).flatMap(({ id, scope, ruleId, pageUrl, kind, reason, by, at, lastDay }): AcceptedView[] => {
    const part = extent.get(id);
    if (!part) return [];
    const help = rules.find((rule) => rule.ruleId === ruleId)?.help ?? ruleId;
    const until = lastDay === null ? null : formatCalendarDate(lastDay, locale);
    return [{ rule: titleOf({ ruleId, help }, "violations", locale), scope, url: pageUrl === null ? "" : shortUrl(pageUrl), kind, private: isShared ? null : { reason, by, at }, until, elements: part.elements }];
  });
  return { ...listing(rows), elements: sums.elements };
}

function listing<Row>(all: Row[]): Listing<Row> {
  return { rows: all.slice(0, MOST_LISTED), more: Math.max(0, all.length - MOST_LISTED) };
}

function criteriaViews(run: Run, results: RunResults, verdicts: CriterionReviews, { locale }: Words): CriterionView[] {
  return criterionRows(run.standard, results, locale).map(({ number, level, clause, state }) => ({
    name: criterionName(number, locale),
    level,
    clause,
    state,
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
