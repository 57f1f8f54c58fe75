import { CHECKED_VERSION } from "~/billing/plans/plan-entitlement";
import type { Runs } from "~/runs/run.server";
import type { ScanAnswer, ScanRequests } from "~/runs/scan-request.server";
import type { FinishedMails } from "~/monitoring/finished-mails.server";
import type { ScheduledRun, Schedules } from "~/monitoring/schedule.server";
import type { WebsiteSummary, Websites } from "./websites.server";

interface CheckNowServices {
  websites: Pick<Websites, "details">;
  runs: Pick<Runs, "ofOwner">;
  schedules: Pick<Schedules, "accessOf">;
  scanRequests: Pick<ScanRequests, "submitOnce">;
  finishedMails: Pick<FinishedMails, "wishFor">;
}

/** `under_way`: a run of the website is already waiting or running. */
export type CheckNowAnswer = ScanAnswer | { kind: "under_way"; id: string } | { kind: "refused"; why: "access_lost" };

/** Scans a website again, with the credentials of its schedule if there are any. */
export async function checkNow(services: CheckNowServices, owner: string, website: WebsiteSummary): Promise<CheckNowAnswer> {
  const open = (await services.websites.details(owner, [website])).get(website.origin)?.open;
  if (open) return { kind: "under_way", id: open.id };
  const { standard, ...request } = await nextRunOf(services.runs, owner, website);
  const access = await services.schedules.accessOf(owner, request);
  // Without the credentials, the scan would check the sign-in page.
  if (access === undefined) return { kind: "refused", why: "access_lost" };
  // No mail for a single page, which takes seconds.
  const mailWhenDone = request.scope === "site" ? await services.finishedMails.wishFor(owner, website.lastRun) : undefined;
  return services.scanRequests.submitOnce(owner, { ...request, level: standard.level, access, mailWhenDone });
}

/** Next run with the settings of the last one; the whole website if it was never checked. */
export async function nextRunOf(runs: Pick<Runs, "ofOwner">, owner: string, { lastRun, registered, origin }: WebsiteSummary): Promise<ScheduledRun> {
  const last = lastRun === null ? undefined : await runs.ofOwner(lastRun, owner);
  if (!last) {
    const settings = { maxPages: null, excludedPaths: [], waitMs: null, waitFor: null };
    return { url: registered ?? `${origin}/`, scope: "site", standard: { version: CHECKED_VERSION, level: "AA" }, ...settings };
  }
  const { url, scope, standard, maxPages, excludedPaths, waitMs, waitFor } = last;
  return { url, scope, standard, maxPages, excludedPaths, waitMs, waitFor };
}
