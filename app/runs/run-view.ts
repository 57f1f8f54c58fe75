import type { Reason } from "~/scan/types";
import type { Reached } from "~/findings/page-address";

export const RUN_STATUSES = ["queued", "running", "succeeded", "failed", "canceled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run as the list of runs shows it. */
export interface RunRow {
  id: string;
  url: string;
  /** Where that led to; null where it led nowhere else. */
  reached: Reached | null;
  scope: "page" | "site";
  standard: string;
  status: RunStatus;
  reason: Reason | null;
  /** Unix time in ms. */
  createdAt: number;
  pages: number;
  failedPages: number;
  /** All of it was looked at, as far as it is known. */
  isWhole: boolean;
  knownPages: number;
  /** Violated rules; one counts once, however many pages it concerns. */
  violatedRules: number;
  elements: number;
}

/** More was left unchecked than was checked: such a run is not simply done. */
export function isMostlyUnchecked({ pages, failedPages }: Pick<RunRow, "pages" | "failedPages">): boolean {
  return failedPages * 2 > pages;
}

/** Characters of an id that tell a user's runs apart. */
const SHORT_ID = 8;

export const shortId = (id: string): string => id.slice(0, SHORT_ID);

export function isRunStatus(value: string): value is RunStatus {
  return RUN_STATUSES.some((status) => status === value);
}
