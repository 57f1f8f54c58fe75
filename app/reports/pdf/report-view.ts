import type { Review } from "~/reports/review/answer";
import type { FailureList } from "~/findings/rule-texts.server";
import type { Fix } from "~/findings/fixes/fix";
import type { ImpactOnPeople } from "~/findings/fixes/impact-on-people";
import type { CriterionState } from "~/findings/success-criteria";
import type { LocalText } from "~/findings/check-view";
import type { Category, ElementPlace, Impact, Level } from "~/scan/types";

/** What a report says, in the words of its language; what pages say about themselves is cut to a length that fits. */
export interface ReportView {
  /** The address as people write it. */
  host: string;
  url: string;
  /** What is to be said of it, such as where it led to, a sentence each. */
  urlNotes: string[];
  /** Where the report is kept, as an absolute address. */
  online: string;
  scope: "page" | "site";
  standard: string;
  /** What is new in the latest WCAG is told by name and count alone. */
  inPart: boolean;
  engine: string;
  operator: string | null;
  /** Unix time in ms. */
  checkedAt: number;
  canceled: boolean;
  /** `short`: pictures were deleted to save space; `gone`: all elements. */
  evidence: "kept" | "short" | "gone";
  /** It could not be completed. */
  brokenOff: boolean;
  pages: { checked: number; failed: number; partial: number };
  /** Nothing was left unchecked of which the run knows. */
  isWhole: boolean;
  /** Rules by category over all pages. */
  counts: Record<Category, number>;
  /** Violated rules by impact; `none` has those without one. */
  impacts: Record<Impact, number>;
  /** Elements of violations. */
  elements: number;
  criteria: CriterionView[];
  violations: RuleReport[];
  review: RuleReport[];
  failed: Listing<FailedPage>;
  partial: Listing<PartialPage>;
  checked: Listing<CheckedPageRow>;
  /** Pages that others may see with files that did not load here. */
  incompletelyLoaded: number;
  /** Sentences on which pages belong to the run. */
  extent: string[];
  /** There would have been more pages. */
  limited: boolean;
}

/** The first rows, and the number of those that are left out. */
export interface Listing<Row> {
  rows: Row[];
  more: number;
}

export interface CriterionView {
  /** With its number: "1.4.3 Kontrast (Minimum)". */
  name: string;
  level: Level;
  /** Of EN 301 549. */
  clause: string | null;
  state: CriterionState;
}

/** A rule over all pages. */
export interface RuleReport {
  /** Of its section in this document. */
  id: string;
  ruleId: string;
  help: LocalText;
  description: LocalText;
  impact: Impact | null;
  criteria: string[];
  /** Why it matters, and for whom. */
  people: ImpactOnPeople;
  elements: number;
  pages: number;
  helpUrl: string;
  groups: ExampleGroup[];
  /** Elements that belong to no group shown. */
  hidden: number;
  /** Its places are part of a larger plan. */
  isLocked: boolean;
}

/** Elements that most likely come from one component. */
export interface ExampleGroup {
  html: string;
  htmlCut: boolean;
  /** The first ones. */
  places: (PageAddress & { target: string })[];
  /** Where the first of them is, in the words of its page, and the language of these. */
  inWords: ElementPlace & { lang: string };
  /** The first of them as it was shown, as an address that holds it; null where there is none. */
  picture: string | null;
  /** How the first one could be put right; null where that cannot be computed, or has been said. */
  fix: Fix | null;
  /** Elements besides these. */
  more: number;
  /** What somebody has said about the first one; null where nobody has, or there is no doubt. */
  judgement: Review | null;
  /** What to do; null where it is the same as for the group before. */
  fixes: FailureList[] | null;
}

/** An address, and what is to be said of it, such as where it led to, a sentence each. */
interface PageAddress {
  url: string;
  notes: string[];
}

export interface FailedPage extends PageAddress {
  reason: string;
  /** It led to a sign-in, to which no reader is to be sent. */
  wantsSignIn: boolean;
}

export interface PartialPage extends PageAddress {
  /** What was left out, a sentence each. */
  missing: string[];
}

export interface CheckedPageRow extends PageAddress {
  title: string;
  titleLang: string;
  violations: number;
  elements: number;
  incomplete: number;
}
