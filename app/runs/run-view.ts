import type { Reason } from "~/scan/types";
import type { Reached } from "~/findings/page-address";

export const RUN_STATUSES = ["queued", "running", "succeeded", "failed", "canceled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Run in the list of runs. */
export interface RunRow {
  id: string;
  url: string;
  /** Final address after redirects; null if it is the same. */
  reached: Reached | null;
  scope: "page" | "site";
  standard: string;
  status: RunStatus;
  reason: Reason | null;
  /** Unix time in ms. */
  createdAt: number;
  pages: number;
  failedPages: number;
  /** True if the run was checked completely: no known gaps. */
  isWhole: boolean;
  knownPages: number;
  /** Violated rules, each counted once, for any number of pages. */
  violatedRules: number;
  elements: number;
  /** Accepted elements, which are not included in any other number. */
  accepted: number;
}

/** True if more pages failed than were checked: such a run is not shown as done. */
export function isMostlyUnchecked({ pages, failedPages }: Pick<RunRow, "pages" | "failedPages">): boolean {
  return failedPages * 2 > pages;
}

/** Length of the shown part of an id, enough to distinguish a user's runs. */
const SHORT_ID = 8;

export const shortId = (id: string): string => id.slice(0, SHORT_ID);

export function isRunStatus(value: string): value is RunStatus {
  return RUN_STATUSES.some((status) => status === value);
}
