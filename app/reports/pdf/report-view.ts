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
  /** Instead of Rampe's. */
  cover: ReportCover | null;
  /** The address as people write it. */
  host: string;
  url: string;
  /** Notes about the address, such as its final address, one sentence each. */
  urlNotes: string[];
  online: OnlineReport;
  scope: "page" | "site";
  standard: string;
  /** New rules of the latest WCAG: only name and count are shown. */
  inPart: boolean;
  engine: string;
  operator: string | null;
  /** Unix time in ms. */
  checkedAt: number;
  canceled: boolean;
  /** `short`: pictures were deleted to save space; `gone`: all elements. */
  evidence: EvidenceState;
  /** Pictures are stored, but could not be read. */
  picturesUnreachable: boolean;
  /** Which places of the run are accepted is no longer known. */
  acceptedUnknown: boolean;
  /** The run could not be completed. */
  brokenOff: boolean;
  pages: { checked: number; failed: number; partial: number };
  /** No known gaps. */
  isWhole: boolean;
  /** Rules by category over all pages. */
  counts: Record<Category, number>;
  /** Violated rules by impact; `none` has those without one. */
  impacts: Record<Impact, number>;
  /** Elements of violations. */
  elements: number;
  /** Accepted elements, which are in no count. */
  accepted: Listing<AcceptedView> & { elements: number };
  criteria: CriterionView[];
  violations: RuleReport[];
  review: RuleReport[];
  failed: Listing<FailedPage>;
  partial: Listing<PartialPage>;
  checked: Listing<CheckedPageRow>;
  /** Number of pages checked with missing files. */
  incompletelyLoaded: number;
  /** Pages were also tried in use, in other sizes and with the connection cut. */
  inUse: boolean;
  /** Sentences on which pages belong to the run. */
  extent: string[];
  /** The site has more pages. */
  limited: boolean;
}

/** Where the report is on the web. */
export interface OnlineReport {
  /** Absolute. */
  url: string;
  /** Until when everyone may read it there, in ms; null: only its owner. */
  sharedUntil: number | null;
}

/** The first rows, and the number of omitted ones. */
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
  /** Null where others than the owner read; `at` is Unix time in ms. */
  private: { reason: string; by: string; at: number } | null;
  /** The last day, in words; null without end. */
  until: string | null;
  elements: number;
}

export interface CriterionView {
  /** With its number: "1.4.3 Kontrast (Minimum)". */
  name: string;
  level: Level;
  /** Clause of EN 301 549. */
  clause: string | null;
  state: CriterionState;
  /** Verdict of a person; null for none. */
  verdict: Exclude<Verdict, "open"> | null;
}

/** A rule over all pages. */
export interface RuleReport {
  /** Id of its section in this document. */
  id: string;
  ruleId: string;
  title: LocalText;
  description: LocalText;
  impact: Impact | null;
  criteria: string[];
  /** Why it matters, and for whom. */
  people: ImpactOnPeople;
  elements: number;
  pages: number;
  helpUrl: string;
  groups: ExampleGroup[];
  /** Elements outside the shown groups. */
  hidden: number;
  /** Its elements need a larger plan. */
  isLocked: boolean;
}

/** Elements that probably come from one component. */
export interface ExampleGroup {
  html: string;
  htmlCut: boolean;
  /** The first ones, each with its number among the places of its rule on its page, from 1. */
  locations: (PageAddress & { target: string; number: number })[];
  /** Position of the first element in words of its page, with their language. */
  inWords: ElementContext & { lang: string };
  /** Picture of the first element as a `data:` address; null if there is none. */
  picture: string | null;
  /** Fix for the first element; null if it cannot be computed, or was shown before. */
  fix: Fix | null;
  /** Elements besides these. */
  more: number;
  /** Review of the first element; null if there is none, or none is needed. */
  judgement: Review | null;
  /** What to do; null if it is the same as for the previous group. */
  fixes: FailureList[] | null;
}

/** An address with notes, such as its final address, one sentence each. */
interface PageAddress {
  url: string;
  notes: string[];
}

export interface FailedPage extends PageAddress {
  reason: string;
  /** It led to a sign-in: do not link to it. */
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
