import { setImmediate as breathe } from "node:timers/promises";
import { NOTHING_ACCEPTED, type Acceptances } from "~/findings/acceptance/acceptances.server";
import type { Assessment, RunFacts, RunStats } from "./run";
import { publicDetail } from "~/findings/failure-reason";
import { criteriaOfStandard } from "~/findings/success-criteria";
import { helpAddress } from "~/findings/rules/guide.server";
import { CATEGORIES, type Category, type PageResult } from "~/scan/types";
import type { Finding, Findings, FindingsReader } from "~/findings/finding.server";
import type { Page, Pages } from "~/runs/page.server";
import type { ReportEntitlements, Withheld } from "~/reports/report-entitlement.server";
import type { CriterionReviewStore } from "~/reports/review/criterion-reviews.server";
import type { CriterionReviews } from "~/reports/review/verdict";
import type { Reviews } from "~/reports/review/review.server";
import type { Run } from "~/runs/run";

/** No limit: all stored elements. */
const ALL_ELEMENTS = Infinity;

export interface ExportsOptions {
  pages: Pick<Pages, "ofRun">;
  findings: FindingsReader;
  reviews: Pick<Reviews, "answersOf">;
  criterionReviews: Pick<CriterionReviewStore, "ofRun">;
  /** Undefined: no acceptances. */
  acceptances?: Pick<Acceptances, "readerOf" | "isUnknownIn">;
  reportEntitlements: Pick<ReportEntitlements, "withheld">;
  /** Name of the product, with its version where known. */
  product: string;
  /** URL of the server, for links to the pages about rules. */
  baseUrl: string;
}

export type Exports = ReturnType<typeof createExports>;

/** All stored data of a finished run, in the engine's words. The caller has already found the run for its owner. */
export function createExports({ pages: allPages, findings, reviews, criterionReviews, acceptances, reportEntitlements, product, baseUrl }: ExportsOptions) {
  return { facts, stats, pages };

  async function facts(run: Run): Promise<RunFacts> {
    const { id, url, scope, createdAt, standard, engines, maxPages, excludedPaths, waitMs, waitFor } = run;
    const withheld = await reportEntitlements.withheld(run);
    return {
      ...{ id, url, scope, createdAt, standard, engines, maxPages, excludedPaths, waitMs, waitFor, product },
      finishedAt: run.finishedAt ?? createdAt,
      status: run.status === "succeeded" || run.status === "canceled" ? run.status : "failed",
      crawl: run.crawl ?? undefined,
      withheld: withheld.size > 0 ? { rules: [...withheld], inFull: run.fullVersion } : undefined,
      evidenceGone: run.evidence === "gone",
      accepted: (await acceptances?.readerOf(run)) ?? NOTHING_ACCEPTED,
      acceptedUnknown: (await acceptances?.isUnknownIn(run)) ?? false,
      acceptedElements: run.stats.accepted,
      judgementOf: run.owner === null ? undefined : await reviews.answersOf(run.owner, run),
      assessments: run.owner === null ? undefined : assessmentsOf(run.standard, await criterionReviews.ofRun(run.owner, run)),
    };
  }

  function stats({ stats }: Run): RunStats {
    const { pages, failedPages, violations, incomplete, passes, inapplicable, elements, violatedRules, accepted } = stats;
    return { pages, failedPages, violations, incomplete, passes, inapplicable, elements, violatedRules, ...(accepted > 0 ? { accepted } : {}) };
  }

  /**
   * Pages in the order of checking. Read one at a time: a run of any length needs only the memory of its largest page.
   * A finished run does not change.
   */
  async function* pages(run: Run): AsyncGenerator<PageResult> {
    const withheld = await reportEntitlements.withheld(run);
    for (const page of await allPages.ofRun(run.id)) {
      yield await resultOf(page, withheld);
      // Lets other requests run during a large export.
      await breathe();
    }
  }

  async function resultOf(page: Page, withheld: Withheld): Promise<PageResult> {
    const base = {
      url: page.url,
      finalUrl: page.finalUrl ?? page.url,
      ...(page.linkedFrom === null ? {} : { linkedFrom: page.linkedFrom }),
      checkedAt: page.checkedAt ?? 0,
      durationMs: page.durationMs ?? 0,
    };
    if (page.status !== "succeeded") {
      const reason = page.reason ?? "crashed";
      return { ...base, status: "failed", reason, detail: publicDetail(reason, page.detail) };
    }
    const { title, lang, httpStatus, partial, gaps, stages } = page;
    return {
      ...base,
      status: "succeeded",
      ...{ title, lang, partial, gaps, stages },
      httpStatus: httpStatus ?? 200,
      findings: linked(readable(await findings.ofPage(page.id, { elements: ALL_ELEMENTS }), withheld)),
    };
  }

  /** Findings with complete addresses of the pages about rules: files are read outside of this server. */
  function linked(all: Findings): Findings {
    const ofCategory = (category: Category) => [category, all[category].map((finding) => ({ ...finding, helpUrl: helpAddress(finding, baseUrl) }))];
    return Object.fromEntries(CATEGORIES.map(ofCategory)) as Findings;
  }
}

function assessmentsOf(standard: Run["standard"], reviews: CriterionReviews): Assessment[] {
  return criteriaOfStandard(standard).flatMap(({ number, level }) => {
    const review = reviews.get(number);
    return review ? [{ criterion: number, level, ...review }] : [];
  });
}

/** Findings without the elements of withheld rules; their counts stay. */
function readable(findings: Findings, withheld: Withheld): Findings {
  if (withheld.size === 0) return findings;
  const hide = (found: Finding[]) => found.map((finding) => (withheld.has(finding.ruleId) ? { ...finding, elements: [], withheld: true as const } : finding));
  return { ...findings, violations: hide(findings.violations), incomplete: hide(findings.incomplete) };
}
