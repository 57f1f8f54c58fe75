import type { FailureDetail, Reason, UncheckedPage } from "./types";

/** The outcome of an address that was not visited. */
export function unvisitedPage(url: string, reason: Reason, detail: FailureDetail = {}): UncheckedPage {
  return { url, finalUrl: url, checkedAt: Date.now(), durationMs: 0, status: "failed", reason, detail };
}
