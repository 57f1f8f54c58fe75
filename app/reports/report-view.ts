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

/** Reader of a report: the owner, who alone may act on it; a visitor with a shared link; any visitor of the sample. */
export type ReportReader = "owner" | "shared" | "sample";

/** Header of every page of a report. */
export interface ReportHead {
  /** Common prefix of all addresses of the report. */
  base: string;
  reader: ReportReader;
  /** Id of the run; null for readers who may not act on it. */
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
  /** Pages with an outcome, and those of them that could not be checked. */
  pages: number;
  failedPages: number;
  /** Whether elements and pictures are still stored. */
  evidence: EvidenceState;
  /** Pictures are stored, but cannot be shown at the moment. */
  picturesUnreachable: boolean;
  /** Which places of the run are accepted is no longer known. */
  acceptedUnknown: boolean;
  /** Rules by category; a rule counts once, for any number of pages. */
  counts: Record<Category, number>;
  /** Accepted elements, which are in no other number. */
  accepted: number;
  /** New rules of the latest WCAG: only name and count are shown. */
  inPart: boolean;
  /** Number of such rules. */
  locked: number;
}

/** A rule in a list: over all pages that are looked at. */
export interface RuleRow extends RuleView {
  category: Category;
  pages: number;
  /** Accepted elements, which are in no other number. */
  accepted: number;
  /** Its elements need a larger plan. */
  isLocked: boolean;
}

/** A success criterion that is tested in another than the usual condition, and what was found about it in each. */
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
  /** Its rules with a violation, or with elements to review; all violations of one that is not `isOpen` are accepted. */
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
  /** Pages that stayed invisible, and that were checked as they stood. */
  concealed: number;
  unfinished: number;
  /** Pages that may have shown more later, by why. */
  late: { why: Late; pages: number }[];
  /** Awaited selectors that did not appear, with the number of pages. */
  missing: { selector: string; pages: number }[];
}

/** How complete the check behind "no findings" is. */
export interface Coverage {
  isWhole: boolean;
  /** Pages that were checked in part. */
  partly: number;
  /** There were more pages than were visited. */
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
  /** A part of it was not checked. */
  isPartly: boolean;
  /** Rules that ran out of time. */
  partial: number;
  violations: number;
  elements: number;
  incomplete: number;
  /** It was walked through with the Tab key. */
  hasWalk: boolean;
}

export interface ElementLocationView extends ElementView {
  pageId: number;
  pageUrl: string;
  pageReached: Reached | null;
  position: number;
  /** Position in words, if known. */
  context: ElementContext | null;
  /** It is about the page as a whole. */
  isWholePage: boolean;
  /** Language of the page; "" if unknown. */
  lang: string;
  /** Empty for the usual one alone. */
  conditions: ShownIn[];
  hasPicture: boolean;
}

/** Elements that look the same in the source. */
export interface GroupView {
  /** The first of them stands for all. */
  sample: ElementLocationView;
  elements: number;
  pages: number;
  locations: ElementLocationView[];
}

/** Content of the first page of a report. */
export interface ReportOverview {
  /** The violated rules to begin with. */
  first: (RuleRow & { barrier: Barrier })[];
  /** Elements of violations. */
  elements: number;
  /** Violated rules by impact. */
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
  /** The first of the pages that could not be checked. */
  failed: { id: number; url: string; reached: Reached | null; linkedFrom: string | null; reason: FailureReason }[];
  /** At least one page could not be checked because it led to a sign-in. */
  hasSignIn: boolean;
  /** Pages that were checked in part. */
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
  /** Runs that are served before this one. */
  ahead: number;
  /** It waits for another scan of the same website. */
  heldBack: boolean;
  pages: number;
  failedPages: number;
  knownPages: number;
  /** Unix time in ms; null while unknown. */
  expectedEnd: number | null;
  /** Until then, rounded; 0: less than one. */
  minutesLeft: number | null;
  /** Time budget of a page, in seconds. */
  pageSeconds: number;
}

/** The page of a run that is not over. */
export interface WaitingRun extends RunProgress {
  /** The first violated rules of the pages that are finished. */
  soFar: { ruleId: string; title: LocalText; elements: number; pages: number }[];
  /** Null for a single page, which takes seconds. */
  mail: { wanted: boolean; email: string; confirmed: boolean } | null;
}

/** An unpaid report: an overview, and the first rules in full. */
export interface LockedReport {
  violations: ViolationView[];
  locked: RuleView[];
  incomplete: RuleView[];
  /** Everything was checked. */
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
