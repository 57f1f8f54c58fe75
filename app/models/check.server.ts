import { domainToUnicode } from "node:url";
import type { CheckView, ElementView, FailedCheck, FinishedCheck, LocalText, RuleView, ViolationView } from "~/lib/check-view";
import { foreignText } from "~/lib/foreign-text";
import type { Locale } from "~/lib/i18n";
import { textsOf } from "~/lib/i18n.server";
import { knownLanguage } from "~/lib/language-tag";
import { criteriaOf, criterionName, failureSummary, ruleText } from "~/lib/rule-texts.server";
import { CATEGORIES, IMPACTS, type ElementResult, type FailureDetail, type Reason } from "~/scan/types";
import type { Finding, Findings, FindingsReader } from "./finding.server";
import type { Page, Pages } from "./page.server";
import { isOver, type Run, type Runs } from "./run.server";

/** Violated rules that a free check shows in full. */
const SHOWN_IN_FULL = 3;
/** Elements of each of them that are sent. */
const SHOWN_ELEMENTS = 20;
/** Characters of an address in headings. */
const MAX_DISPLAYED = 80;

export interface ChecksOptions {
  runs: Pick<Runs, "find" | "queuePosition">;
  pages: Pages;
  findings: FindingsReader;
  /** Time budget of a page, in seconds. */
  pageSeconds: number;
  userAgent: string;
}

export type Checks = ReturnType<typeof createChecks>;

/** Free checks as their page shows them: an anonymous run of one page, in the words of the visitor's language. */
export function createChecks({ runs, pages, findings, pageSeconds, userAgent }: ChecksOptions) {
  return { show };

  /** Null when there is none. Details of rules beyond the first ones do not leave the server. */
  async function show(id: string, locale: Locale): Promise<CheckView | null> {
    const run = await runs.find(id, null);
    if (!run) return null;
    if (!isOver(run)) return waiting(run, locale);

    const [page] = await pages.ofRun(run.id);
    if (run.status !== "succeeded" || !page) return failed(run, page, locale);
    return done(run, page, await findings.ofPage(page.id, { elements: SHOWN_ELEMENTS }), locale);
  }

  async function waiting(run: Run, locale: Locale): Promise<CheckView> {
    const position = await runs.queuePosition(run.id);
    return {
      ...base(run, locale, "progress.title"),
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
      reason,
      ledTo: page?.finalUrl && page.finalUrl !== run.url ? page.finalUrl : null,
      detail: publicDetail(reason, page?.detail ?? {}),
      userAgent,
    };
  }
}

/** What an internal name stands for is nobody's business, even when we refuse to go there. */
function publicDetail(reason: Reason, { httpStatus, contentType, technical }: FailureDetail): FailedCheck["detail"] {
  return { httpStatus, contentType, technical: reason === "blocked_address" ? undefined : technical };
}

function done(run: Run, page: Page, findings: Findings, locale: Locale): FinishedCheck {
  const { violations, incomplete } = findings;
  const finalUrl = page.finalUrl ?? page.url;
  return {
    ...base(run, locale, "result.title"),
    state: "done",
    checked: {
      finalUrl,
      redirected: finalUrl !== page.url,
      title: page.title,
      titleLang: knownLanguage(page.lang),
      at: page.checkedAt ?? run.createdAt,
      durationMs: page.durationMs ?? 0,
      standard: standardName(run),
      engine: run.engine ? `${run.engine.name} ${run.engine.version}` : "",
      expiresAt: run.expiresAt,
    },
    counts: pick(CATEGORIES, run.stats),
    elements: run.stats.elements,
    impacts: pick(IMPACTS, run.stats.impacts),
    violations: violations.slice(0, SHOWN_IN_FULL).map((finding) => violationView(finding, locale)),
    locked: violations.slice(SHOWN_IN_FULL).map((finding) => ruleView(finding, locale)),
    incomplete: incomplete.map((finding) => ruleView(finding, locale)),
    gaps: { ...page.gaps, partial: page.partial.map((ruleId) => helpOf({ ruleId, help: ruleId }, locale)) },
  };
}

function base(run: Run, locale: Locale, title: "progress.title" | "failure.title" | "result.title") {
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

function violationView(finding: Finding, locale: Locale): ViolationView {
  return {
    ...ruleView(finding, locale),
    description: descriptionOf(finding, locale),
    helpUrl: finding.helpUrl,
    elements: finding.elements.map((element) => elementView(element, locale)),
  };
}

function ruleView(finding: Finding, locale: Locale): RuleView {
  return {
    ruleId: finding.ruleId,
    help: helpOf(finding, locale),
    impact: finding.impact,
    elementCount: finding.elementCount,
    criteria: criteriaOf(finding.tags).map((number) => criterionName(number, locale)),
  };
}

function elementView(element: ElementResult, locale: Locale): ElementView {
  return {
    target: element.target.map((step) => (Array.isArray(step) ? step.join(" » ") : step)).join(" › "),
    html: element.html,
    htmlCut: element.htmlCut,
    fixes: failureSummary(element.checks, locale, "violations"),
  };
}

function helpOf({ ruleId, help }: Pick<Finding, "ruleId" | "help">, locale: Locale): LocalText {
  const known = ruleText(ruleId, locale);
  return known ? { text: known.help, lang: known.lang } : { text: help, lang: "en" };
}

function descriptionOf({ ruleId, description }: Finding, locale: Locale): LocalText {
  const known = ruleText(ruleId, locale);
  return known ? { text: known.description, lang: known.lang } : { text: description, lang: "en" };
}

function standardName({ standard }: Run): string {
  return `WCAG ${standard.version} ${standard.level}`;
}

/** An address as people write it: two pages of a site must not look the same in a list of tabs. */
function displayAddress(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const name = (domainToUnicode(hostname) || hostname).replace(/^www\./, "");
  const path = pathname === "/" ? "" : pathname;
  return foreignText(`${name}${port && `:${port}`}${path}`, MAX_DISPLAYED);
}

function pick<Key extends string>(keys: readonly Key[], from: Record<Key, number>): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Record<Key, number>;
}
