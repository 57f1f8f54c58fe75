import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { localeOf } from "~/platform/i18n/i18n.server";
import { NOTHING_WITHHELD } from "./reading.server";
import { isOver } from "~/runs/run.server";
import { readableOwnRun } from "~/reports/own-report.server";
import { readReport, type OpenReport, type ReadRun } from "./page.server";

/** As long as such tokens are: nothing else is looked up. */
const TOKEN = /^[\w-]{43}$/;

/** Readers get this page again and again from us, not from a store that outlives their link. */
const SHARED_HEADERS = { "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store" };

/**
 * The run whose report is at an address: its owner's where the address has the run's `id`, the one that a link with a
 * `token` leads to, and the sample else.
 * @throws as `readableOwnRun`; 404 for a link that leads to none
 */
export async function readableRun(args: LoaderFunctionArgs): Promise<ReadRun> {
  const { id, token } = args.params;
  if (id !== undefined) return readableOwnRun(args);
  return token !== undefined ? sharedRun(args, token) : sampleRun(args);
}

/** Its report. */
export async function openReport(args: LoaderFunctionArgs): Promise<OpenReport> {
  return readReport(await readableRun(args));
}

/** @throws 404 for a link that has expired, was taken back or never was, and while its owner may not see the report either */
async function sharedRun({ request, context }: LoaderFunctionArgs, token: string): Promise<ReadRun> {
  const { services } = context;
  const run = TOKEN.test(token) ? await services.shares.open(token) : undefined;
  if (!run || !isOver(run) || !(await services.orders.isUnlocked(run.owner, run))) throw data(null, { status: 404 });
  const locale = await localeOf(request);
  return { run, locale, base: `/shared/${token}`, reader: "shared", readers: services, withheld: await services.readings.withheld(run), headers: SHARED_HEADERS };
}

async function sampleRun({ request, context }: LoaderFunctionArgs): Promise<ReadRun> {
  const { run, ...readers } = await context.services.sample();
  return { run, locale: await localeOf(request), base: "/sample", reader: "sample", readers, withheld: NOTHING_WITHHELD, headers: {} };
}
