import type { Run, Runs } from "~/runs/run.server";
import type { ScanAnswer, ScanRequest, ScanRequests } from "~/runs/scan-request.server";
import type { WebsiteSummary, Websites } from "./websites.server";

interface CheckNowServices {
  websites: Pick<Websites, "details">;
  runs: Pick<Runs, "ofOwner">;
  scanRequests: Pick<ScanRequests, "submit">;
}

/** `open`: a run of the website waits or runs already. */
export type CheckNowAnswer = ScanAnswer | { kind: "open"; run: Run };

/**
 * Checks a website again, with the settings of its last run; as a whole if it was never checked. Credentials of a site that is
 * not public are not kept, so that it is checked without them.
 */
export async function checkNow({ websites, runs, scanRequests }: CheckNowServices, owner: string, website: WebsiteSummary): Promise<CheckNowAnswer> {
  const open = (await websites.details(owner, [website])).get(website.origin)?.open;
  if (open) return { kind: "open", run: open };
  const last = website.lastRun === null ? undefined : await runs.ofOwner(website.lastRun, owner);
  return scanRequests.submit(owner, last ? requestOf(last) : firstRequestOf(website));
}

function requestOf({ url, scope, standard, maxPages, excludedPaths, waitMs, waitFor }: Run): ScanRequest {
  return { url, scope, level: standard.level, maxPages, excludedPaths, waitMs, waitFor };
}

const firstRequestOf = ({ origin, registered }: WebsiteSummary): ScanRequest => ({ url: registered ?? `${origin}/`, scope: "site", level: "AA" });
