import type { CrawlFacts } from "~/scan/crawl/facts";
import { CATEGORIES, type Category, type ElementContext, type Impact, type Late, type Level, type ShownIn, type StageTime } from "~/scan/types";
import type { FailureReason } from "~/findings/failure-reason";
import type { EvidenceState } from "~/findings/evidence-state";
import type { Barrier } from "~/findings/rules/barriers";
import type { AdvancedAnalyses, ElementView, LocalText, RuleView, ViolationView } from "~/findings/check-view";
import type { Reached } from "~/findings/page-address";
import type { Verdict } from "./review/verdict";
import type { RunStatus } from "~/runs/run-view";
import type { CriterionState } from "~/findings/success-criteria";

/** Reader of a report: the owner, the only one with actions; a visitor with a shared link; or a visitor of the sample. */
export type ReportReader = "owner" | "shared" | "sample";

/** Header of every page of a report. */
export interface ReportHead {
  /** Common prefix of all addresses of the report. */
  base: string;
  reader: ReportReader;
  /** Id of the run; null for readers without actions. */
  id: string | null;
  /** The address for display, without scheme and `www.`. */
  host: string;
  url: string;
  /** Final address after redirects; null if it is the same. */
  reached: Reached | null;
  scope: "page" | "site";
  status: RunStatus;
  standard: string;
  /** Unix time in ms. */
  createdAt: number;
  finishedAt: number | null;
  /** Number of pages with an outcome, and of those that could not be checked. */
  pages: number;
  failedPages: number;
  /** Whether elements and pictures are still stored. */
  evidence: EvidenceState;
  /** Whether pictures are stored, but cannot be shown at the moment. */
  picturesUnreachable: boolean;
  /** Whether it is no longer known which elements are accepted. */
  acceptedUnknown: boolean;
  /** Number of rules by category; a rule counts once, for any number of pages. */
  counts: Record<Category, number>;
  /** Number of accepted elements; no other number includes them. */
  accepted: number;
  /** New rules of the latest WCAG: only name and count are visible. */
  inPart: boolean;
  /** Number of such rules. */
  locked: number;
}

/** Rule in a list: over all selected pages. */
export interface RuleRow extends RuleView {
  category: Category;
  pages: number;
  /** Number of accepted elements; no other number includes them. */
  accepted: number;
  /** Whether its elements need a larger plan. */
  isLocked: boolean;
}

/** Success criterion with tests in more than the usual condition, and the result in each condition. */
export interface ConditionRow {
  number: string;
  name: string;
  states: Record<ShownIn, CriterionState>;
}

export interface CriterionRow {
  number: string;
  name: string;
  level: Level;
  /** Clause of EN 301 549. */
  clause: string | null;
  state: CriterionState;
  /** True if one of its rules did not finish on some page. */
  isUnfinished: boolean;
  /** Its rules with a violation, or with elements to review; if not `isOpen`, all violations of the rule are accepted. */
  rules: { ruleId: string; category: Category; title: LocalText; isLocked: boolean; isOpen: boolean }[];
}

/** Verdict of a person on a criterion. */
export interface CriterionVerdict {
  verdict: Exclude<Verdict, "open">;
  /** Unix time in ms. */
  at: number;
}

/** Gaps, summed over all pages. */
export interface ReportGaps {
  partial: LocalText[];
  frames: number;
  closedShadowRoots: number;
  resources: number;
  offline: number;
  unopened: number;
  /** Number of pages that stayed invisible, and were checked in this state. */
  concealed: number;
  unfinished: number;
  /** Number of pages that may have shown more later, by reason. */
  late: { why: Late; pages: number }[];
  /** Expected selectors that did not appear, with the number of pages. */
  missing: { selector: string; pages: number }[];
}

/** Completeness of a check that found nothing. */
export interface Coverage {
  isWhole: boolean;
  /** Number of pages that were checked in part. */
  partly: number;
  /** Whether the site has more pages than were visited. */
  limited: boolean;
}

export interface PageRow {
  id: number;
  url: string;
  reached: Reached | null;
  linkedFrom: string | null;
  title: string;
  titleLang: string;
  status: "queued" | "running" | "succeeded" | "failed";
  /** Reason, if the page could not be checked. */
  reason: FailureReason;
  durationMs: number | null;
  stages: StageTime[];
  /** Whether a part of the page was not checked. */
  isPartly: boolean;
  /** Number of rules that ran out of time. */
  partial: number;
  violations: number;
  elements: number;
  incomplete: number;
  /** Whether it was tested with the Tab key. */
  hasWalk: boolean;
}

export interface ElementLocationView extends ElementView {
  pageId: number;
  pageUrl: string;
  pageReached: Reached | null;
  position: number;
  /** Position in words, if known. */
  context: ElementContext | null;
  /** Whether the problem concerns the page as a whole. */
  isWholePage: boolean;
  /** Language of the page; "" if unknown. */
  lang: string;
  /** Empty if it is only the usual condition. */
  conditions: ShownIn[];
  hasPicture: boolean;
}

/** Elements that look the same in the source. */
export interface GroupView {
  /** First element, as an example for all. */
  sample: ElementLocationView;
  elements: number;
  pages: number;
  locations: ElementLocationView[];
}

/** Content of the first page of a report. */
export interface ReportOverview {
  /** Violated rules to fix first. */
  first: (RuleRow & { barrier: Barrier })[];
  /** Number of elements with violations. */
  elements: number;
  /** Number of violated rules by impact. */
  impacts: Record<Impact, number>;
  checked: {
    engine: string;
    advanced: AdvancedAnalyses | null;
    /** Unix time in ms after which the report is deleted. */
    expiresAt: number;
    durationMs: number | null;
    maxPages: number | null;
    excludedPaths: string[];
    waitMs: number | null;
    waitFor: string | null;
  };
  /** First pages that could not be checked. */
  failed: { id: number; url: string; reached: Reached | null; linkedFrom: string | null; reason: FailureReason }[];
  /** Whether at least one page could not be checked because it led to a sign-in. */
  hasSignIn: boolean;
  /** Number of pages that were checked in part. */
  partly: number;
  gaps: ReportGaps;
  /** Null for a run of one page. */
  crawl: CrawlFacts | null;
}

export interface RunProgress {
  id: string;
  host: string;
  scope: "page" | "site";
  status: "queued" | "running";
  /** Number of runs before this one in the queue. */
  ahead: number;
  /** Whether it waits for another scan of the same website. */
  heldBack: boolean;
  pages: number;
  failedPages: number;
  knownPages: number;
  /** Unix time in ms; null while unknown. */
  expectedEnd: number | null;
  /** Remaining minutes, rounded; 0: less than one. */
  minutesLeft: number | null;
  /** Time budget of a page, in seconds. */
  pageSeconds: number;
}

/** Page of a run that is not over. */
export interface WaitingRun extends RunProgress {
  /** First violated rules of the finished pages. */
  soFar: { ruleId: string; title: LocalText; elements: number; pages: number }[];
  /** Null for a single page, which takes seconds. */
  mail: { wanted: boolean; email: string; confirmed: boolean } | null;
}

/** An unpaid report: an overview, and the first rules in full. */
export interface LockedReport {
  violations: ViolationView[];
  locked: RuleView[];
  incomplete: RuleView[];
  /** Whether everything was checked. */
  isWhole: boolean;
}

export const SORTS = ["importance", "impact", "elements", "pages", "name"] as const;
export type Sort = (typeof SORTS)[number];

export interface RuleFilter {
  impact: Impact | null;
  /** Number of a success criterion. */
  criterion: string | null;
  pageId: number | null;
  text: string;
  sort: Sort;
}

export function isCategory(value: string | undefined): value is Category {
  return CATEGORIES.some((category) => category === value);
}

/** Rules of the other categories are listed without their elements. */
export function listsElements(category: Category): category is "violations" | "incomplete" {
  return category === "violations" || category === "incomplete";
}

/** Path of a rule's page in a report. @param base of the report */
export function rulePath(base: string, { category, ruleId }: { category: Category; ruleId: string }): string {
  return `${base}/${category}/${encodeURIComponent(ruleId)}`;
}
