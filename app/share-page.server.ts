import { data, type LoaderFunctionArgs } from "@remix-run/node";
import type { Locale } from "~/lib/i18n";
import { localeOf, textsOf } from "~/lib/i18n.server";
import type { PageMeta } from "~/lib/page-meta";
import { titledMeta } from "~/lib/page-texts.server";
import { displayAddress } from "~/models/finding-views.server";
import type { Pages } from "~/models/page.server";
import type { Reports } from "~/models/report.server";
import { isOver, type Run } from "~/models/run.server";
import { readReport, reportHead, type OpenReport } from "~/report-page.server";
import { sampleReport } from "~/sample-report.server";

/** As long as such tokens are: nothing else is looked up. */
const TOKEN = /^[\w-]{43}$/;

/** Readers get this page again and again from us, not from a store that outlives their link. */
const SHARED_HEADERS = { "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store" };

export interface SharedReport extends Pick<OpenReport, "head" | "rules"> {
  run: Run;
  locale: Locale;
  /** What all addresses of the report begin with. */
  base: string;
  /** Where its parts are read. */
  readers: { pages: Pages; reports: Pick<Reports, "placesOf"> };
  headers: Record<string, string>;
}

/** Where the report is that everybody may read. */
const SAMPLE = "/sample";

/**
 * The report that a link leads to, for whoever has it; the sample report at an address without a token.
 * @throws 404 for one that has expired, was taken back or never was, and while its owner may not see the report either
 */
export async function openShared(args: LoaderFunctionArgs): Promise<SharedReport> {
  const { token } = args.params;
  if (token === undefined) return openSample(args);
  const { shares, orders, pages, reports } = args.context.services;
  const run = TOKEN.test(token) ? await shares.open(token) : undefined;
  if (!run || !isOver(run) || !(await orders.isUnlocked(run.owner, run))) throw data(null, { status: 404 });
  const report = { run, locale: await localeOf(args.request), ...(await readReport(args, run)) };
  return { ...report, base: `/shared/${token}`, readers: { pages, reports }, headers: SHARED_HEADERS };
}

async function openSample({ request }: LoaderFunctionArgs): Promise<SharedReport> {
  const { run, rules, ...readers } = sampleReport;
  return { run, rules, head: reportHead(run, rules), locale: await localeOf(request), base: SAMPLE, readers, headers: {} };
}

/** @param part names the page besides the site; undefined for the first one */
export async function sharedMeta(args: LoaderFunctionArgs, { run, locale, base }: SharedReport, part?: string): Promise<PageMeta> {
  const t = textsOf(locale).getFixedT(null, ["history", "report"]);
  const host = displayAddress(run.url);
  const kind = base === SAMPLE ? "sample" : "shared";
  const title = part === undefined ? t(`history:${kind}.title`, { host }) : t("report:meta.title", { part, host });
  return titledMeta(args, { title, description: t(`history:${kind}.description`, { host }) });
}
