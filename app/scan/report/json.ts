import type { ElementResult, FindingResult, PageResult } from "~/scan/types";
import { failureSummary } from "./failure-summary";
import { nameOf, statsOf, type RunFacts, type RunStats } from "./run";

/** The document of a whole run; see "JSON of a run" in the product's interface. */
export function runJson(run: RunFacts, pages: PageResult[]) {
  return { ...headJson(run, statsOf(pages)), pages: pages.map(pageJson) };
}

/** All of a run's document but its pages, which may be more than memory holds. */
export function headJson(run: RunFacts, stats: RunStats) {
  return {
    schema: 1,
    run: {
      id: run.id,
      url: run.url,
      scope: run.scope,
      status: stats.pages > stats.failedPages ? "succeeded" : "failed",
      createdAt: new Date(run.createdAt).toISOString(),
      finishedAt: new Date(run.finishedAt).toISOString(),
      standard: nameOf(run.standard),
      engine: run.engine,
      product: run.product,
      ...(run.crawl ? { crawl: run.crawl } : {}),
    },
    stats,
  };
}

/** One page, as in a run's document. */
export function pageJson(page: PageResult) {
  const base = { url: page.url, finalUrl: page.finalUrl, status: page.status };
  const { durationMs } = page;
  if (page.status === "failed") {
    const nothing = { violations: [], incomplete: [], passes: [], inapplicable: [] };
    return {
      ...base,
      reason: page.reason,
      detail: page.detail,
      partial: [],
      title: "",
      lang: "",
      durationMs,
      ...nothing,
    };
  }
  const { httpStatus, partial, gaps, title, lang, findings } = page;
  return {
    ...base,
    reason: null,
    httpStatus,
    partial,
    gaps,
    title,
    lang,
    durationMs,
    violations: findings.violations.map(inFull),
    incomplete: findings.incomplete.map(inFull),
    passes: findings.passes.map(inShort),
    inapplicable: findings.inapplicable.map(inShort),
  };
}

function inFull(finding: FindingResult) {
  return { ...inShort(finding), nodes: finding.elements.map(node) };
}

function inShort({ ruleId, source, impact, tags, help, description, helpUrl, elementCount }: FindingResult) {
  return { ruleId, source, impact, tags, help, description, helpUrl, elementCount };
}

function node({ target, html, htmlCut, impact, checks }: ElementResult) {
  return { target, html, htmlCut, impact, failureSummary: failureSummary(checks), conditions: ["desktop"] };
}
