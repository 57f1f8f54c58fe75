import type { Impact } from "~/scan/types";
import type { LocalText } from "~/findings/check-view";
import type { ChangeKind, SideState } from "./compare";
import type { Reached } from "~/findings/page-address";
import type { RunStatus } from "~/runs/run-view";
import { isMostlyUnchecked } from "~/runs/run-view";

/** One of two compared runs. */
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
  /** Beginning of the source. */
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
  /** Number of elements. */
  count: number;
  groups: ChangedGroupView[];
  /** Whether the elements need a larger plan. */
  isLocked: boolean;
  /** Path of the rule in its report; in the later report if both have it. */
  path: string;
}

export interface ChangesView {
  before: ComparedRun;
  now: ComparedRun;
  /** Number of elements by kind. */
  totals: Record<ChangeKind, number>;
  /** Rules with elements of a kind, the most important first. */
  rules: Record<ChangeKind, ChangedRuleView[]>;
  /** First pages that could not be compared, or only in part. */
  pages: { url: string; before: SideState; now: SideState }[];
  pageCount: number;
  /** Number of accepted elements of the later run; no other number includes them. */
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
  /** Whether it had the advanced analyses of a higher plan. */
  isAdvanced: boolean;
  pages: number;
  failedPages: number;
  violatedRules: number;
  /** Number of elements with violations, by impact, and in total. */
  elements: Record<Impact, number>;
  total: number;
  /** Number of accepted elements; no other number includes them. */
  accepted: number;
  /** Same as in `HistoryEntry`. */
  acceptedUnknown: boolean;
}

/**
 * Whether a run is in the trend. Unchecked pages have no violations: their run would look like an improvement. So would the run
 * after one whose accepted elements count as open.
 */
export const isInTrend = ({ status, pages, failedPages, acceptedUnknown }: Pick<TrendPoint, "status" | "pages" | "failedPages" | "acceptedUnknown">) =>
  status === "succeeded" && !isMostlyUnchecked({ pages, failedPages }) && !acceptedUnknown;

/** Whether this run had other rules than the previous one. Runs without any result have no rules. @param points the oldest first */
export function hasOtherRules(points: TrendPoint[], index: number): boolean {
  const before = points.slice(0, index).findLast(({ engine }) => engine !== "");
  const point = points[index];
  if (!before || !point || point.engine === "") return false;
  return point.engine !== before.engine || point.isAdvanced !== before.isAdvanced;
}
