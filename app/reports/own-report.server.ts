import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { requireResultAccess } from "~/billing/guard.server";
import { localeOf } from "~/platform/i18n/i18n.server";
import { isOver } from "~/runs/run";
import { readReport, type OpenReport, type ReadRun } from "./page.server";

type Args = Pick<LoaderFunctionArgs | ActionFunctionArgs, "request" | "context" | "params">;

export interface OwnRun extends ReadRun {
  userId: string;
}

/**
 * Run of the address, in any state, for its owner.
 * @throws 404, also for another user's run; a redirect by the guard
 */
export async function ownRun(args: Args): Promise<OwnRun> {
  const user = await requireResultAccess(args);
  const { services } = args.context;
  const run = await services.runs.ofOwner(args.params.id ?? "", user.id);
  if (!run) throw data(null, { status: 404 });
  const locale = await localeOf(args.request);
  return { run, userId: user.id, locale, base: `/run/${run.id}`, reader: "owner", readers: services, withheld: await services.reportEntitlements.withheld(run), headers: {} };
}

/**
 * Run of the address, only if it has a full report.
 * @throws a redirect to the run's first page while it is unfinished, or locked
 */
export async function readableOwnRun(args: Args): Promise<OwnRun> {
  const own = await ownRun(args);
  const { run, userId, base } = own;
  if (!isOver(run) || !(await args.context.services.scanRequests.isUnlocked(userId, run))) throw redirect(base, 303);
  return own;
}

/** Full report of the run of the address, for actions of its owner. */
export async function ownReport(args: Args): Promise<OwnRun & OpenReport> {
  return readReport(await readableOwnRun(args));
}
