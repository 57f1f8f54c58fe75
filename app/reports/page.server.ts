import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { reachedBy } from "~/findings/page-address";
import type { PageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import type { ReportHead, ReportReader } from "./report-view";
import type { PagePictures } from "~/findings/page-picture.server";
import type { Evidence } from "~/findings/evidence.server";
import { isLocked } from "./rule-rows.server";
import { displayAddress, standardName } from "~/findings/finding-views.server";
import type { Pages } from "~/runs/page.server";
import type { Withheld } from "./report-entitlement.server";
import { isOpen, type Reports, type RuleResult } from "./report.server";
import type { Run } from "~/runs/run";
import { CATEGORIES } from "~/scan/types";

/** A run, its reader, and the reader's permissions. */
export interface ReadRun {
  run: Run;
  reader: ReportReader;
  locale: Locale;
  /** Common prefix of all addresses of the report. */
  base: string;
  /** Sources of its parts. */
  readers: { pages: Pages; reports: Reports; evidence: Evidence; pagePictures: PagePictures };
  /** Rules whose elements are hidden from the reader. */
  withheld: Withheld;
  /** Headers of every response. */
  headers: Record<string, string>;
}

export interface OpenReport extends ReadRun {
  head: ReportHead;
  /** All of the run's rules, the most important first; without accepted findings. */
  rules: RuleResult[];
  /** All rules, also those whose elements are all accepted. */
  allRules: RuleResult[];
}

/** The report of a run that the reader may see in full. */
export async function readReport<Read extends ReadRun>(read: Read): Promise<Read & OpenReport> {
  const { reports, pages } = read.readers;
  const allRules = await reports.allRules(read.run.id);
  const rules = allRules.filter(isOpen);
  const finalUrl = (await pages.reachedFirst([read.run.id])).get(read.run.id) ?? null;
  const facts = { finalUrl, acceptedUnknown: await reports.isAcceptedUnknown(read.run), picturesUnreachable: await read.readers.evidence.isUnreachable(read.run.id) };
  const head = reportHead(read, rules, facts);
  return { ...read, rules, allRules, head };
}

type HeadFacts = Pick<ReportHead, "acceptedUnknown" | "picturesUnreachable"> & { finalUrl: string | null };

function reportHead({ run, base, reader, withheld }: ReadRun, rules: RuleResult[], { finalUrl, ...facts }: HeadFacts): ReportHead {
  const counts = Object.fromEntries(
    CATEGORIES.map((category) => [category, rules.filter((rule) => rule.category === category).length]),
  ) as ReportHead["counts"];
  return {
    base,
    reader,
    id: reader === "owner" ? run.id : null,
    host: displayAddress(run.url),
    url: run.url,
    reached: reachedBy({ url: run.url, finalUrl }),
    scope: run.scope,
    status: run.status,
    standard: standardName(run),
    createdAt: run.createdAt,
    finishedAt: run.finishedAt,
    pages: run.stats.pages,
    failedPages: run.stats.failedPages,
    evidence: run.evidence,
    ...facts,
    counts,
    accepted: run.stats.accepted,
    inPart: withheld.size > 0,
    locked: new Set(rules.filter((rule) => isLocked(rule, withheld)).map(({ ruleId }) => ruleId)).size,
  };
}

/**
 * Title and description of a page of a report.
 * @param part name of the page, besides the site
 * @param url page of the site, if the report's page is about one
 */
export async function reportMeta(
  args: Pick<LoaderFunctionArgs | ActionFunctionArgs, "request" | "context">,
  { run, reader, locale }: ReadRun,
  part: string,
  url = run.url,
): Promise<PageMeta> {
  const t = textsOf(locale).getFixedT(null, "report");
  const host = displayAddress(url);
  return titledMeta(args, { title: t("meta.title", { part, host }), description: t(`reader.${reader}.description`, { host }) });
}
