import type { Impact } from "~/scan/types";
import type { LocalText } from "~/findings/check-view";
import type { ChangeKind, SideState } from "./compare";
import type { Reached } from "~/findings/page-address";
import type { RunStatus } from "~/runs/run-view";
import { isMostlyUnchecked } from "~/runs/run-view";

/** One of two runs that are compared. */
export interface ComparedRun {
  id: string;
  /** Unix time in ms. */
  createdAt: number;
  standard: string;
  engine: string;
  pages: number;
  failedPages: number;
}

/** Elements with the same source and the same change. */
export interface ChangedGroupView {
  elements: number;
  pages: number;
  /** The beginning of its source. */
  html: string;
  htmlCut: boolean;
  /** Path of the first element, in the report that found it. */
  path: string;
  pageUrl: string;
  pageReached: Reached | null;
}

export interface ChangedRuleView {
  ruleId: string;
  title: LocalText;
  impact: Impact | null;
  criteria: string[];
  /** Elements. */
  count: number;
  groups: ChangedGroupView[];
  /** The elements are shown only with a larger plan. */
  isLocked: boolean;
  /** Path of the rule in the report that has it; in the later report if both have it. */
  path: string;
}

export interface ChangesView {
  before: ComparedRun;
  now: ComparedRun;
  /** Elements. */
  totals: Record<ChangeKind, number>;
  /** Rules with elements of a kind, the most important first. */
  rules: Record<ChangeKind, ChangedRuleView[]>;
  /** The first pages that could not be compared, or only in part. */
  pages: { url: string; before: SideState; now: SideState }[];
  pageCount: number;
  /** Accepted elements of the later run, which are in no other number. */
  accepted: number;
}

/** A run in a history. */
export interface TrendPoint {
  id: string;
  /** Unix time in ms. */
  createdAt: number;
  status: RunStatus;
  standard: string;
  engine: string;
  /** Did it have the advanced analyses of a higher plan? */
  isAdvanced: boolean;
  pages: number;
  failedPages: number;
  violatedRules: number;
  /** Elements that violate rules, by impact, and together. */
  elements: Record<Impact, number>;
  total: number;
  /** Accepted elements, which are in no other number. */
  accepted: number;
  /** As of `HistoryEntry`. */
  acceptedUnknown: boolean;
}

/**
 * Pages that were not checked have no places: such a run would look like an improvement. So would the run after one in which accepted
 * places count as open.
 */
export const isInTrend = ({ status, pages, failedPages, acceptedUnknown }: Pick<TrendPoint, "status" | "pages" | "failedPages" | "acceptedUnknown">) =>
  status === "succeeded" && !isMostlyUnchecked({ pages, failedPages }) && !acceptedUnknown;

/** Was this run made by other rules than the one before? Runs without any result have no rules. @param points the oldest first */
export function hasOtherRules(points: TrendPoint[], index: number): boolean {
  const before = points.slice(0, index).findLast(({ engine }) => engine !== "");
  const point = points[index];
  if (!before || !point || point.engine === "") return false;
  return point.engine !== before.engine || point.isAdvanced !== before.isAdvanced;
}
