import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { localeOf } from "~/platform/i18n/i18n.server";
import { NOTHING_WITHHELD } from "./report-entitlement.server";
import { isOver } from "~/runs/run";
import { readableOwnRun } from "~/reports/own-report.server";
import { readReport, type OpenReport, type ReadRun } from "./page.server";

/** Format of tokens; other values are not looked up in the database. */
const TOKEN = /^[\w-]{43}$/;

/** No caching: a cached copy could outlive the link. */
const SHARED_HEADERS = { "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store" };

/**
 * Run of the report at an address: by the run's `id` for its owner, by the `token` of a shared link, otherwise the
 * sample.
 * @throws as `readableOwnRun`; 404 for an invalid link
 */
export async function readableRun(args: LoaderFunctionArgs): Promise<ReadRun> {
  const { id, token } = args.params;
  if (id !== undefined) return readableOwnRun(args);
  return token !== undefined ? sharedRun(args, token) : sampleRun(args);
}

/** Report of the run. */
export async function openReport(args: LoaderFunctionArgs): Promise<OpenReport> {
  return readReport(await readableRun(args));
}

/** @throws 404 for an expired, revoked or unknown link, and if the owner may not see the report either */
async function sharedRun({ request, context }: LoaderFunctionArgs, token: string): Promise<ReadRun> {
  const { services } = context;
  const run = TOKEN.test(token) ? await services.shares.open(token) : undefined;
  if (!run || !isOver(run) || !(await services.scanRequests.isUnlocked(run.owner, run))) throw data(null, { status: 404 });
  const locale = await localeOf(request);
  return { run, locale, base: `/shared/${token}`, reader: "shared", readers: services, withheld: await services.reportEntitlements.withheld(run), headers: SHARED_HEADERS };
}

async function sampleRun({ request, context }: LoaderFunctionArgs): Promise<ReadRun> {
  const { run, ...readers } = await context.services.sample();
  return { run, locale: await localeOf(request), base: "/sample", reader: "sample", readers, withheld: NOTHING_WITHHELD, headers: {} };
}
