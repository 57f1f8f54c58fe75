import type { Acceptance } from "~/findings/acceptance/acceptance";
import { conditionsOf } from "~/findings/condition-of.server";
import { problemOf } from "~/findings/rules/titles.server";
import { toStoredFacts } from "~/scan/crawl/facts";
import type { ElementResult, FindingResult, PageResult, ShownIn } from "~/scan/types";
import { failureSummary } from "./failure-summary";
import { nameOf, outcomeOf, statsOf, type Judgement, type RunFacts, type RunStats } from "./run";

/** The document of a whole run; see "JSON of a run" in the product's interface. */
export function runJson(run: RunFacts, pages: PageResult[]) {
  return { ...headJson(run, statsOf(pages)), pages: pages.map((page) => pageJson(page, run)) };
}

/**
 * Document of a whole run in parts, one page at a time: memory does not depend on its length.
 * @param stats sums over the pages, known before the pages
 */
export async function* jsonParts(
  run: RunFacts,
  stats: RunStats,
  pages: AsyncIterable<PageResult>,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(headJson(run, stats)).slice(0, -1)},"pages":[`;
  let between = "";
  for await (const page of pages) {
    yield `${between}${JSON.stringify(pageJson(page, run))}`;
    between = ",\n";
  }
  yield "]}\n";
}

/** Document of a run without its pages, which may not fit in memory. */
export function headJson(run: RunFacts, stats: RunStats) {
  return {
    schema: 1,
    run: {
      id: run.id,
      url: run.url,
      scope: run.scope,
      status: outcomeOf(run, stats),
      createdAt: new Date(run.createdAt).toISOString(),
      finishedAt: new Date(run.finishedAt).toISOString(),
      standard: nameOf(run.standard),
      engine: run.engines[0] ?? null,
      engines: run.engines,
      product: run.product,
      ...(run.maxPages ? { maxPages: run.maxPages } : {}),
      ...(run.excludedPaths?.length ? { leftOut: run.excludedPaths } : {}),
      ...(run.waitMs ? { waitMs: run.waitMs } : {}),
      ...(run.waitFor ? { waitFor: run.waitFor } : {}),
      ...(run.crawl ? { crawl: toStoredFacts(run.crawl) } : {}),
      ...(run.withheld ? { inFull: `WCAG ${run.withheld.inFull}`, withheldRules: run.withheld.rules } : {}),
      ...(run.evidenceGone ? { evidence: "gone" } : {}),
    },
    stats,
    ...(run.assessments?.length ? { assessments: run.assessments.map((assessment) => ({ ...assessment, at: new Date(assessment.at).toISOString() })) } : {}),
  };
}

/** One page in a run's document. */
export function pageJson(page: PageResult, { judgementOf, accepted }: Pick<RunFacts, "judgementOf" | "accepted"> = {}) {
  const { url, finalUrl, linkedFrom, status } = page;
  const base = { url, finalUrl, ...(linkedFrom === undefined ? {} : { linkedFrom }), status };
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
  const { httpStatus, partial, gaps, title, lang, stages, findings } = page;
  const ofResult = conditionsOf([...Object.values(findings).flat(), ...partial.map((ruleId) => ({ ruleId }))]);
  return {
    ...base,
    reason: null,
    httpStatus,
    partial,
    gaps,
    title,
    lang,
    durationMs,
    ...(stages?.length ? { stages } : {}),
    violations: findings.violations.map((finding) => ({
      ...inFull(finding, ofResult, undefined, (element) => accepted?.ofElement({ pageUrl: page.url, rule: finding, element })),
      ...acceptanceJson(accepted?.ofRule(finding)),
      problem: problemOf(finding.ruleId, "en") ?? undefined,
    })),
    incomplete: findings.incomplete.map((finding) =>
      inFull(finding, ofResult, (element) => judgementOf?.({ pageUrl: page.url, rule: finding, element })),
    ),
    passes: findings.passes.map(inShort),
    inapplicable: findings.inapplicable.map(inShort),
  };
}

type ConditionsOf = (ruleId: string, named?: ShownIn[]) => ShownIn[];

function inFull(finding: FindingResult, ofResult: ConditionsOf, judged: (element: ElementResult) => Judgement | undefined = () => undefined, acceptanceOf: (element: ElementResult) => Acceptance | undefined = () => undefined) {
  return { ...inShort(finding), ...(finding.withheld ? { withheld: true } : {}), nodes: finding.elements.map((element) => node(element, ofResult(finding.ruleId, element.conditions), judged(element), acceptanceOf(element))) };
}

function inShort({ ruleId, source, impact, tags, help, description, helpUrl, elementCount }: FindingResult) {
  return { ruleId, source, impact, tags, help, description, helpUrl, elementCount };
}

function node({ target, html, htmlCut, impact, checks, context }: ElementResult, conditions: ShownIn[], judgement: Judgement | undefined, acceptance: Acceptance | undefined) {
  return {
    ...{ target, html, htmlCut, impact, failureSummary: failureSummary(checks), conditions },
    ...(context ? { place: context } : {}),
    ...(judgement ? { review: { ...judgement, at: new Date(judgement.at).toISOString() } } : {}),
    ...acceptanceJson(acceptance),
  };
}

function acceptanceJson(acceptance: Acceptance | undefined) {
  if (!acceptance) return {};
  const { scope, kind, lastDay, reason, by, at } = acceptance;
  return { acceptance: { scope, kind, lastDay, reason, by, at: new Date(at).toISOString() } };
}
