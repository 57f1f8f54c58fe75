import { data, type LoaderFunctionArgs } from "@remix-run/node";
import type { Locale } from "~/lib/i18n";
import { localeOf, textsOf } from "~/lib/i18n.server";
import type { PageMeta } from "~/lib/page-meta";
import { titledMeta } from "~/lib/page-texts.server";
import { displayAddress } from "~/models/finding-views.server";
import { isOver, type Run } from "~/models/run.server";
import { readReport, type OpenReport } from "~/report-page.server";

/** As long as such tokens are: nothing else is looked up. */
const TOKEN = /^[\w-]{43}$/;

/** Readers get this page again and again from us, not from a store that outlives their link. */
export const SHARED_HEADERS = { "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store" };

export interface SharedReport extends Pick<OpenReport, "head" | "rules"> {
  run: Run;
  locale: Locale;
  /** What all addresses of the report begin with. */
  base: string;
}

/**
 * The report that a link leads to, for whoever has it.
 * @throws 404 for one that has expired, was taken back or never was, and while its owner may not see the report either
 */
export async function openShared(args: LoaderFunctionArgs): Promise<SharedReport> {
  const { token = "" } = args.params;
  const { shares, orders } = args.context.services;
  const run = TOKEN.test(token) ? await shares.open(token) : undefined;
  if (!run || !isOver(run) || !(await orders.isUnlocked(run.owner, run))) throw data(null, { status: 404 });
  return { run, locale: await localeOf(args.request), base: `/shared/${token}`, ...(await readReport(args, run)) };
}

/** @param part names the page besides the site; undefined for the first one */
export async function sharedMeta(args: LoaderFunctionArgs, { run, locale }: SharedReport, part?: string): Promise<PageMeta> {
  const t = textsOf(locale).getFixedT(null, ["history", "report"]);
  const host = displayAddress(run.url);
  const title = part === undefined ? t("history:shared.title", { host }) : t("report:meta.title", { part, host });
  return titledMeta(args, { title, description: t("history:shared.description", { host }) });
}
