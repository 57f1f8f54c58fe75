import { isWholeRun } from "./coverage.server";
import { SHOWN_ELEMENTS, SHOWN_IN_FULL } from "./check/check.server";
import type { Page, Pages } from "~/runs/page.server";
import type { Reports, RuleResult } from "./report.server";
import type { Run } from "~/runs/run";
import type { Runs } from "~/runs/run.server";
import { LATE } from "~/scan/types";
import { engineNames } from "~/findings/engines";
import { countImpacts } from "~/scan/impact";
import { displayAddress, ruleView, violationView } from "~/findings/finding-views.server";
import { lookedForBy, titleOf } from "~/findings/rules/titles.server";
import { advancedAnalyses } from "~/findings/rules/guide.server";
import { impactOnPeople } from "~/findings/rules/catalogue.server";
import { failureReason, shownDetail, needsSignIn } from "~/findings/failure-reason";
import { sanitizeUntrustedText } from "~/findings/untrusted-text";
import { reachedBy } from "~/findings/page-address";
import { MINUTE_MS } from "~/platform/durations";
import type { Locale } from "~/platform/i18n/i18n";
import type { LockedReport, ReportGaps, ReportOverview, RunProgress, WaitingRun } from "./report-view";
import type { Withheld } from "./report-entitlement.server";
import { isLocked, ruleRow } from "./rule-rows.server";

/** Number of rules that the overview recommends to fix first. */
const SHOWN_FIRST = 5;
/** Number of failed pages on the overview; the list of pages has all of them. */
const SHOWN_PAGES = 10;
/** Minimum of finished pages for an estimate of the end. */
const PAGES_FOR_A_FORECAST = 5;
/** Maximum length of a displayed path (characters). */
const MAX_PATH = 200;

interface Readers {
  pages: Pages;
  reports: Reports;
}

/** Progress of a running run, and its estimated end. */
export async function progressOf(
  { runs, env }: { runs: Runs; env: { SCAN_PAGE_SECONDS: number } },
  run: Run,
  now = Date.now(),
): Promise<RunProgress> {
  const position = await runs.queuePosition(run.id);
  const end = expectedEnd(run, now);
  return {
    id: run.id,
    host: displayAddress(run.url),
    scope: run.scope,
    status: run.status === "running" ? "running" : "queued",
    ahead: Math.max(0, (position ?? 1) - 1),
    heldBack: await runs.isHeldBack(run.id),
    pages: run.stats.pages,
    failedPages: run.stats.failedPages,
    knownPages: likelyPages(run),
    expectedEnd: end,
    minutesLeft: end === null ? null : minutesUntil(end, now),
    pageSeconds: env.SCAN_PAGE_SECONDS,
  };
}

/** First violated rules of the finished pages, for a run that is not over. */
export async function foundSoFar({ reports }: Pick<Readers, "reports">, run: Run, locale: Locale): Promise<WaitingRun["soFar"]> {
  if (run.stats.violations === 0) return [];
  const violated = (await reports.rules(run.id)).filter(({ category }) => category === "violations");
  return violated.slice(0, SHOWN_FIRST).map((rule) => ({ ruleId: rule.ruleId, title: titleOf(rule, "violations", locale), elements: rule.elements, pages: rule.pages }));
}

function minutesUntil(end: number, now: number): number {
  const minutes = (end - now) / MINUTE_MS;
  return minutes < 1 ? 0 : Math.round(minutes);
}

/** Expected number of pages with an outcome, from current knowledge. */
function likelyPages({ knownPages, stats, crawl, maxPages }: Run): number {
  const most = Math.min(maxPages ?? Infinity, crawl?.maxPages ?? Infinity) + (crawl?.disallowed ?? 0);
  return Math.max(stats.pages, Math.min(knownPages, most));
}

function expectedEnd(run: Run, now: number): number | null {
  const done = run.stats.pages;
  if (run.startedAt === null || done < PAGES_FOR_A_FORECAST) return null;
  return now + ((now - run.startedAt) / done) * (likelyPages(run) - done);
}

/** Reason why no page of a run could be checked. */
export async function failedRun({ pages, env }: Readers & { env: { SCAN_USER_AGENT: string } }, run: Run) {
  const [page] = await pages.ofRun(run.id);
  const reason = run.reason ?? page?.reason ?? "crashed";
  return {
    url: run.url,
    scope: run.scope,
    reason: failureReason({ reason, httpStatus: page?.httpStatus }),
    reached: page ? reachedBy(page) : null,
    detail: shownDetail(reason, page?.detail ?? {}),
    userAgent: env.SCAN_USER_AGENT,
  };
}

/** Visible part of an unpaid report. Details of the other rules are not sent to the browser. */
export async function lockedReport(
  { reports }: Pick<Readers, "reports">,
  run: Run,
  rules: RuleResult[],
  locale: Locale,
  withheld: Withheld,
): Promise<LockedReport> {
  const violations = rules.filter(({ category }) => category === "violations");
  const asRule = ({ conditions: _, ...rule }: RuleResult) => ({ ...rule, elementCount: rule.elements });
  const shown = violations.filter((rule) => !isLocked(rule, withheld)).slice(0, SHOWN_IN_FULL);
  const inFull = shown.map(async (rule) => {
    const { groups } = await reports.locationsOf(run.id, { category: "violations", ruleId: rule.ruleId, offset: 0, limit: SHOWN_ELEMENTS });
    const elements = groups.flatMap(({ locations }) => locations.slice(0, 1));
    return violationView({ ...asRule(rule), elements }, locale);
  });
  return {
    violations: await Promise.all(inFull),
    locked: violations.filter((rule) => !shown.includes(rule)).map((rule) => ruleView(asRule(rule), "violations", locale)),
    incomplete: rules.filter(({ category }) => category === "incomplete").map((rule) => ruleView(asRule(rule), "incomplete", locale)),
    isWhole: isWholeRun(run),
  };
}

/** Content of the first page of a report. */
export async function overviewOf(
  { pages }: Pick<Readers, "pages">,
  run: Run,
  rules: RuleResult[],
  locale: Locale,
  withheld: Withheld,
): Promise<ReportOverview> {
  const violations = rules.filter(({ category }) => category === "violations");
  const all = await pages.ofRun(run.id);
  const failed = all.filter(({ status }) => status === "failed");
  return {
    first: violations.slice(0, SHOWN_FIRST).map((rule) => ({
      ...ruleRow(rule, locale, withheld),
      barrier: impactOnPeople(rule.ruleId, rule.tags).barrier,
    })),
    elements: run.stats.elements,
    impacts: countImpacts(violations),
    checked: {
      engine: engineNames(run.engines),
      advanced: advancedAnalyses(run.engines, [...rules.map(({ ruleId }) => ruleId), ...all.flatMap(({ partial }) => partial)], locale),
      expiresAt: run.expiresAt,
      durationMs: run.startedAt !== null && run.finishedAt !== null ? run.finishedAt - run.startedAt : null,
      maxPages: run.maxPages,
      excludedPaths: run.excludedPaths.map((path) => sanitizeUntrustedText(path, MAX_PATH)),
      waitMs: run.waitMs,
      waitFor: run.waitFor,
    },
    failed: failed.slice(0, SHOWN_PAGES).map((page) => ({
      id: page.id,
      url: page.url,
      linkedFrom: page.linkedFrom,
      reached: reachedBy(page),
      reason: failureReason(page),
    })),
    hasSignIn: failed.some((page) => needsSignIn(failureReason(page))),
    partly: run.stats.partlyPages,
    gaps: gapsOf(all, locale),
    crawl: run.crawl,
  };
}

function gapsOf(pages: Page[], locale: Locale): ReportGaps {
  const checked = pages.filter(({ status }) => status === "succeeded");
  const partial = new Set(checked.flatMap((page) => page.partial));
  const sum = (count: (page: Page) => number) => checked.reduce((total, page) => total + count(page), 0);
  return {
    partial: [...partial].map((ruleId) => lookedForBy(ruleId, locale)),
    frames: sum(({ gaps }) => gaps.frames.length),
    closedShadowRoots: sum(({ gaps }) => gaps.closedShadowRoots),
    resources: sum(({ gaps }) => gaps.resources),
    offline: sum(({ gaps }) => gaps.offline ?? 0),
    unopened: sum(({ gaps }) => gaps.unopened ?? 0),
    concealed: sum(({ gaps }) => (gaps.concealed ? 1 : 0)),
    unfinished: sum(({ gaps }) => (gaps.unfinished ? 1 : 0)),
    late: LATE.map((why) => ({ why, pages: sum(({ gaps }) => (gaps.late.includes(why) ? 1 : 0)) })).filter(({ pages }) => pages > 0),
    missing: [...new Set(checked.flatMap(({ gaps }) => gaps.missing?.selector ?? []))].map((selector) => ({
      selector,
      pages: sum(({ gaps }) => (gaps.missing?.selector === selector ? 1 : 0)),
    })),
  };
}
