import { engineNames } from "~/findings/engines";
import { advancedAnalyses } from "~/findings/rules/guide.server";
import type { CheckView, FinishedCheck } from "~/findings/check-view";
import { displayAddress, pick, ruleView, SHOWN_PLACES, standardName, violationView, type PictureOf } from "~/findings/finding-views.server";
import { lookedForBy } from "~/findings/rules/titles.server";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { failureReason, shownDetail } from "~/findings/failure-reason";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { reachedBy } from "~/findings/page-address";
import { CATEGORIES, IMPACTS } from "~/scan/types";
import type { Findings, FindingsReader } from "~/findings/finding.server";
import type { Evidence } from "~/findings/evidence.server";
import type { Page, Pages } from "~/runs/page.server";
import { isOver, type Run } from "~/runs/run";
import type { Runs } from "~/runs/run.server";

/** Number of violated rules that are shown in full before a payment. */
export const SHOWN_IN_FULL = 3;
/** Maximum number of elements per rule. */
export const SHOWN_ELEMENTS = 20;

export interface ChecksOptions {
  runs: Pick<Runs, "find" | "queuePosition">;
  pages: Pages;
  findings: FindingsReader;
  evidence: Pick<Evidence, "picture" | "isUnreachable">;
  /** Time budget of a page, in seconds. */
  pageSeconds: number;
  userAgent: string;
}

export type Checks = ReturnType<typeof createChecks>;

/** Free checks for their page: an anonymous run of one page, in the visitor's language. */
export function createChecks({ runs, pages, findings, evidence, pageSeconds, userAgent }: ChecksOptions) {
  return { show, picture };

  /** Free check; null if there is none. Only the first rules have details. */
  async function show(id: string, locale: Locale): Promise<CheckView | null> {
    const run = await runs.find(id, null);
    if (!run) return null;
    if (!isOver(run)) return waiting(run, locale);

    const [page] = await pages.ofRun(run.id);
    if (run.status !== "succeeded" || !page) return failed(run, page, locale);
    const found = await findings.ofPage(page.id, { elements: SHOWN_ELEMENTS });
    return done(run, page, { findings: found, picturesUnreachable: await evidence.isUnreachable(run.id) }, locale);
  }

  /** Picture of an element; undefined if there is none, or if the check's page does not show it. @param position from 0 */
  async function picture(id: string, ruleId: string, position: number) {
    const run = await runs.find(id, null);
    const [page] = run?.status === "succeeded" ? await pages.ofRun(run.id) : [];
    if (!run || !page) return undefined;
    const { violations } = await findings.ofPage(page.id, { elements: 0 });
    const rank = violations.findIndex((finding) => finding.ruleId === ruleId);
    const shown = rank < 0 ? 0 : rank < SHOWN_IN_FULL ? SHOWN_PLACES : 1;
    return position < shown ? evidence.picture(run.id, { pageId: page.id, category: "violations", ruleId, position }) : undefined;
  }

  async function waiting(run: Run, locale: Locale): Promise<CheckView> {
    const position = await runs.queuePosition(run.id);
    return {
      ...base(run, locale, position === null ? "progress.title" : "progress.queuedTitle"),
      state: "waiting",
      status: position === null ? "running" : "queued",
      ahead: (position ?? 1) - 1,
      pageSeconds,
    };
  }

  function failed(run: Run, page: Page | undefined, locale: Locale): CheckView {
    const reason = run.reason ?? page?.reason ?? "crashed";
    return {
      ...base(run, locale, "failure.title"),
      state: "failed",
      scope: run.scope,
      reason: failureReason({ reason, httpStatus: page?.httpStatus }),
      reached: page ? reachedBy(page) : null,
      detail: shownDetail(reason, page?.detail ?? {}),
      userAgent,
    };
  }
}

function done(run: Run, page: Page, { findings, picturesUnreachable }: { findings: Findings; picturesUnreachable: boolean }, locale: Locale): FinishedCheck {
  const { violations, incomplete } = findings;
  const pictureOf: PictureOf = (ruleId, position) => (picturesUnreachable ? null : `/check/${run.id}/picture/${encodeURIComponent(ruleId)}/${position}`);
  return {
    ...base(run, locale, "result.title"),
    state: "done",
    reached: reachedBy(page),
    checked: {
      title: page.title,
      titleLang: knownLanguage(page.lang),
      at: page.checkedAt ?? run.createdAt,
      durationMs: page.durationMs ?? 0,
      standard: standardName(run),
      engine: engineNames(run.engines),
      advanced: advancedAnalyses(run.engines, [...Object.values(findings).flat().map(({ ruleId }) => ruleId), ...page.partial], locale),
      expiresAt: run.expiresAt,
    },
    counts: pick(CATEGORIES, run.stats),
    elements: run.stats.elements,
    impacts: pick(IMPACTS, run.stats.impacts),
    violations: violations.slice(0, SHOWN_IN_FULL).map((finding) => violationView(finding, locale, knownLanguage(page.lang), pictureOf)),
    locked: violations.slice(SHOWN_IN_FULL).map((finding) => ({
      ...ruleView(finding, "violations", locale),
      picture: finding.elements[0]?.hasPicture ? pictureOf(finding.ruleId, 0) : null,
    })),
    incomplete: incomplete.map((finding) => ruleView(finding, "incomplete", locale)),
    evidenceGone: run.evidence === "gone",
    picturesUnreachable,
    gaps: { ...page.gaps, partial: page.partial.map((ruleId) => lookedForBy(ruleId, locale)) },
  };
}

function base(run: Run, locale: Locale, title: "progress.title" | "progress.queuedTitle" | "failure.title" | "result.title") {
  const t = textsOf(locale).getFixedT(null, ["check", "common"]);
  const host = displayAddress(run.url);
  return {
    id: run.id,
    url: run.url,
    host,
    meta: {
      title: t("common:title", { page: t(`check:${title}`, { host }) }),
      description: t("check:description", { standard: standardName(run) }),
    },
  };
}
