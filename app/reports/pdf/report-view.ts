import type { AcceptanceKind, AcceptanceScope } from "~/findings/acceptance/acceptance";
import type { ReportCover } from "~/reports/report-cover.server";
import type { Verdict } from "~/reports/review/verdict";
import type { Review } from "~/reports/review/answer";
import type { ImpactOnPeople } from "~/findings/rules/barriers";
import type { EvidenceState } from "~/findings/evidence-state";
import type { Fix } from "~/findings/fixes/fix";
import type { CriterionState } from "~/findings/success-criteria";
import type { FailureList, LocalText } from "~/findings/check-view";
import type { Category, ElementContext, Impact, Level } from "~/scan/types";

/** Content of a report, in its language; texts from checked pages are shortened. */
export interface ReportView {
  /** Cover of the account, in place of Rampe's. */
  cover: ReportCover | null;
  /** Host for display. */
  host: string;
  url: string;
  /** Notes about the address, such as its final address, one sentence each. */
  urlNotes: string[];
  online: OnlineReport;
  scope: "page" | "site";
  standard: string;
  /** New rules of the latest WCAG: only name and count are visible. */
  inPart: boolean;
  engine: string;
  operator: string | null;
  /** Unix time in ms. */
  checkedAt: number;
  canceled: boolean;
  /** `short`: pictures were deleted to save space; `gone`: all elements. */
  evidence: EvidenceState;
  /** Whether pictures are stored, but could not be read. */
  picturesUnreachable: boolean;
  /** Whether it is no longer known which elements are accepted. */
  acceptedUnknown: boolean;
  /** Whether the run could not be completed. */
  brokenOff: boolean;
  pages: { checked: number; failed: number; partial: number };
  /** Whether there are no known gaps. */
  isWhole: boolean;
  /** Number of rules by category over all pages. */
  counts: Record<Category, number>;
  /** Number of violated rules by impact; `none` for rules without one. */
  impacts: Record<Impact, number>;
  /** Number of elements with violations. */
  elements: number;
  /** Accepted elements; no other count includes them. */
  accepted: Listing<AcceptedView> & { elements: number };
  criteria: CriterionView[];
  violations: RuleReport[];
  review: RuleReport[];
  failed: Listing<FailedPage>;
  partial: Listing<PartialPage>;
  checked: Listing<CheckedPageRow>;
  /** Number of pages checked with missing files. */
  incompletelyLoaded: number;
  /** Whether pages were also tested in use, in other sizes and without connection. */
  inUse: boolean;
  /** Sentences about the pages of the run. */
  extent: string[];
  /** Whether the site has more pages. */
  limited: boolean;
}

/** Address of the report on the web. */
export interface OnlineReport {
  /** Absolute URL. */
  url: string;
  /** End of public access in ms; null: only its owner has access. */
  sharedUntil: number | null;
}

/** First rows, and the number of omitted ones. */
export interface Listing<Row> {
  rows: Row[];
  more: number;
}

/** Acceptance by a person. */
export interface AcceptedView {
  rule: LocalText;
  scope: AcceptanceScope;
  /** URL of the page of an element; else "". */
  url: string;
  kind: AcceptanceKind;
  /** Null for readers other than the owner; `at` is Unix time in ms. */
  private: { reason: string; by: string; at: number } | null;
  /** Last day, in words; null for no end. */
  until: string | null;
  elements: number;
}

export interface CriterionView {
  /** Number and name: "1.4.3 Kontrast (Minimum)". */
  name: string;
  level: Level;
  /** Clause of EN 301 549. */
  clause: string | null;
  state: CriterionState;
  /** Verdict of a person; null for none. */
  verdict: Exclude<Verdict, "open"> | null;
}

/** Rule over all pages. */
export interface RuleReport {
  /** Id of the rule's section in this document. */
  id: string;
  ruleId: string;
  title: LocalText;
  description: LocalText;
  impact: Impact | null;
  criteria: string[];
  /** Effect of the barrier, and affected people. */
  people: ImpactOnPeople;
  elements: number;
  pages: number;
  helpUrl: string;
  groups: ExampleGroup[];
  /** Number of elements outside the shown groups. */
  hidden: number;
  /** Whether its elements need a larger plan. */
  isLocked: boolean;
}

/** Elements that probably come from one component. */
export interface ExampleGroup {
  html: string;
  htmlCut: boolean;
  /** First elements, each with its number within its rule and page, from 1. */
  locations: (PageAddress & { target: string; number: number })[];
  /** Location of the first element in words of its page, with their language. */
  inWords: ElementContext & { lang: string };
  /** Picture of the first element as a `data:` address; null if there is none. */
  picture: string | null;
  /** Fix for the first element; null if it cannot be computed, or is shown already. */
  fix: Fix | null;
  /** Number of further elements. */
  more: number;
  /** Review of the first element; null if there is none, or none is needed. */
  judgement: Review | null;
  /** Tasks; null if they are the same as for the previous group. */
  fixes: FailureList[] | null;
}

/** An address with notes, such as its final address, one sentence each. */
interface PageAddress {
  url: string;
  notes: string[];
}

export interface FailedPage extends PageAddress {
  reason: string;
  /** Whether the address led to a sign-in: do not link to it. */
  needsSignIn: boolean;
}

export interface PartialPage extends PageAddress {
  /** Gaps, one sentence each. */
  missing: string[];
}

export interface CheckedPageRow extends PageAddress {
  title: string;
  titleLang: string;
  violations: number;
  elements: number;
  incomplete: number;
}
