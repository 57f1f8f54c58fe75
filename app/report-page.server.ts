import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { requireEntitled } from "~/guard.server";
import type { RuleResult } from "~/models/report.server";
import { isOver, type Run } from "~/models/run.server";
import { CATEGORIES } from "~/scan/types";
import { displayAddress, standardName } from "~/models/finding-views.server";
import type { Locale } from "~/lib/i18n";
import { localeOf, textsOf } from "~/lib/i18n.server";
import type { PageMeta } from "~/lib/page-meta";
import { titledMeta } from "~/lib/page-texts.server";
import type { ReportHead } from "~/lib/report-view";

type Args = Pick<LoaderFunctionArgs | ActionFunctionArgs, "request" | "context" | "params">;

export interface OwnRun {
  run: Run;
  userId: string;
  locale: Locale;
}

export interface OpenReport extends OwnRun {
  head: ReportHead;
  /** All of the run's rules, the most important first. */
  rules: RuleResult[];
}

/**
 * The run of the address, for its owner.
 * @throws 404, also for somebody else's; a redirect by the guard
 */
export async function ownRun(args: Args): Promise<OwnRun> {
  const user = await requireEntitled(args);
  const run = await args.context.services.runs.ofOwner(args.params.id ?? "", user.id);
  if (!run) throw data(null, { status: 404 });
  return { run, userId: user.id, locale: await localeOf(args.request) };
}

/**
 * The full report of the run of the address.
 * @throws a redirect to the run's first page while it is under way, or locked
 */
export async function openReport(args: Args): Promise<OpenReport> {
  const own = await ownRun(args);
  const { orders } = args.context.services;
  if (!isOver(own.run) || !(await orders.isUnlocked(own.userId, own.run))) throw redirect(`/run/${own.run.id}`, 303);
  return { ...own, ...(await readReport(args, own.run)) };
}

export async function readReport({ context }: Args, run: Run): Promise<Pick<OpenReport, "head" | "rules">> {
  const rules = await context.services.reports.rules(run.id);
  return { head: reportHead(run, rules), rules };
}

export function reportHead(run: Run, rules: RuleResult[]): ReportHead {
  const counts = Object.fromEntries(
    CATEGORIES.map((category) => [category, rules.filter((rule) => rule.category === category).length]),
  ) as ReportHead["counts"];
  return {
    id: run.id,
    host: displayAddress(run.url),
    url: run.url,
    scope: run.scope,
    status: run.status,
    standard: standardName(run),
    createdAt: run.createdAt,
    finishedAt: run.finishedAt,
    pages: run.stats.pages,
    failedPages: run.stats.failedPages,
    counts,
  };
}

/** Title and description of a page of a report. @param part names the page besides the site */
export async function reportMeta(args: Args, { run, locale }: OwnRun, part: string): Promise<PageMeta> {
  const t = textsOf(locale).getFixedT(null, "report");
  const host = displayAddress(run.url);
  return titledMeta(args, { title: t("meta.title", { part, host }), description: t("meta.description", { host }) });
}
