import type { Category, ElementContext, FailureDetail, Gaps, Impact, Late } from "~/scan/types";
import type { ColorFix, Fix } from "./fixes/fix";
import type { ImpactOnPeople } from "./rules/barriers";
import type { Remedy } from "./rules/remedies.server";
import type { FailureReason } from "./failure-reason";
import type { Reached } from "./page-address";
import type { PageMeta } from "~/platform/http/page-meta";

/** Text with its language, which may differ from the page's. */
export interface LocalText {
  text: string;
  lang: string;
}

export interface AdvancedAnalyses {
  ran: boolean;
  rules: { id: string; help: LocalText }[];
}

/** Tasks for an element: one list, or two lists that both apply. */
export interface FailureList {
  heading: string;
  items: LocalText[];
}

interface CheckBase {
  id: string;
  meta: PageMeta;
  /** The address for display, without scheme and `www.`. */
  host: string;
  /** Requested address. */
  url: string;
}

interface OverCheck extends CheckBase {
  /** Final address after redirects; null if it is the same. */
  reached: Reached | null;
}

export interface WaitingCheck extends CheckBase {
  state: "waiting";
  status: "queued" | "running";
  /** Number of checks before this one in the queue. */
  ahead: number;
  /** Time budget of a page, in seconds. */
  pageSeconds: number;
}

export interface FailedCheck extends OverCheck {
  state: "failed";
  scope: "page" | "site";
  reason: FailureReason;
  detail: Pick<FailureDetail, "contentType" | "technical">;
  /** The scanner's user agent, for operators who want to allow it. */
  userAgent: string;
}

export interface FinishedCheck extends OverCheck {
  state: "done";
  checked: {
    title: string;
    titleLang: string;
    /** Unix time in ms. */
    at: number;
    durationMs: number;
    standard: string;
    engine: string;
    advanced: AdvancedAnalyses | null;
    /** Expiry of the result, Unix time in ms. */
    expiresAt: number;
  };
  /** Number of rules by category. */
  counts: Record<Category, number>;
  /** Number of elements that violate a rule. */
  elements: number;
  /** Whether the elements were deleted to save space. */
  evidenceGone: boolean;
  /** Whether pictures are stored, but cannot be shown at the moment. */
  picturesUnreachable: boolean;
  /** Number of violated rules by impact. */
  impacts: Record<Impact, number>;
  /** The most important violations, in full. */
  violations: ViolationView[];
  /** The other violated rules, without their details. */
  locked: LockedRuleView[];
  incomplete: RuleView[];
  gaps: {
    partial: LocalText[];
    frames: string[];
    closedShadowRoots: number;
    resources: number;
    offline?: number;
    unopened?: number;
    concealed: boolean;
    unfinished: boolean;
    late: Late[];
    missing: Gaps["missing"];
  };
}

export type CheckView = WaitingCheck | FailedCheck | FinishedCheck;

export interface RuleView {
  ruleId: string;
  /** Title of the result: the problem, or for passes, what is right. */
  title: LocalText;
  impact: Impact | null;
  elementCount: number;
  /** Success criteria such as "1.4.3 Kontrast (Minimum)". */
  criteria: string[];
}

/** A violated rule without its details. */
interface LockedRuleView extends RuleView {
  /** Address of a picture of the rule's first element. */
  picture: string | null;
}

export interface ViolationView extends RuleView {
  /** Effect of the barrier, and affected people. */
  impactOnPeople: ImpactOnPeople;
  remedy: Remedy;
  /** Fix for the first element that people can see without reading markup; null if there is none. */
  colors: ColorFix | null;
  /** First elements, in the words of the page; `elementCount` is the total. */
  places: PlaceView[];
  development: {
    description: LocalText;
    helpUrl: string;
    /** Change to make, in technical words; null for a rule that is no longer installed. */
    howToFix: string | null;
    /** First elements. */
    elements: (ElementView & { fix: Fix | null })[];
  };
}

/** Location of an element, for people who know the page and not its markup. */
export interface PlaceView {
  /** Null if unknown. */
  context: ElementContext | null;
  /** Whether the problem concerns the page as a whole. */
  isWholePage: boolean;
  /** Language of the page; "" if unknown. */
  lang: string;
  /** Address of a picture with an outline around the element. */
  picture: string | null;
}

export interface ElementView {
  target: string;
  html: string;
  htmlCut: boolean;
  /** Tasks, as one or two lists with a heading each ("Fix any of the following:"). */
  fixes: FailureList[];
}
