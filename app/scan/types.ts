/**
 * Input and output of the engine. Plain data: it can be stored, sent and compared. The engine knows no SQL, no HTTP route
 * and no language; its texts are axe-core's English ones.
 */

import type { EventLog } from "~/platform/event-log";
import type { DocumentLinks } from "./page/links";
import type { RuleTexts } from "./rule-texts";
import type { SiteFacts } from "./site/site-facts";

export const REASONS = [
  "invalid_url",
  "blocked_address",
  "dns",
  "refused",
  "tls",
  "timeout",
  "http_status",
  "not_html",
  "login_required",
  "bot_protection",
  "robots",
  "too_large",
  "redirect_loop",
  "download",
  "crashed",
  "empty",
] as const;
/** Reason why a page could not be checked. */
export type Reason = (typeof REASONS)[number];

export const CATEGORIES = ["violations", "incomplete", "passes", "inapplicable"] as const;
export type Category = (typeof CATEGORIES)[number];

export const IMPACTS = ["critical", "serious", "moderate", "minor"] as const;
export type Impact = (typeof IMPACTS)[number];

export const LEVELS = ["A", "AA", "AAA"] as const;
export type Level = (typeof LEVELS)[number];

/** Conditions in which a page is shown or used during a check, besides the usual one (1280 × 800 pixels). */
export const CONDITIONS = ["phone", "portrait", "landscape", "zoom-200", "text-200", "text-spacing", "dark", "forced-colors", "reduced-motion", "keyboard", "hover", "opened", "forms"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** All conditions in which a finding may occur; the usual one comes first. */
export const SHOWN_IN = ["desktop", ...CONDITIONS] as const;
export type ShownIn = (typeof SHOWN_IN)[number];

/** Origin of a rule: axe-core, or Rampe's own checks. */
export type RuleSource = "axe" | "rampe";

/** Success criteria a page is tested against, e.g. WCAG 2.2 up to and including level AA. */
export interface Standard {
  version: "2.1" | "2.2";
  level: Level;
}

/** One of axe-core's checks that decided about an element; its message is built from `data`. */
export interface CheckOutcome {
  group: "any" | "all" | "none";
  id: string;
  data: unknown;
  /** axe-core's English message. */
  message: string;
}

/** Place of an element, in the page's own words; each text has at most 200 characters. */
export interface ElementContext {
  /** Innermost landmark around the element, by role; the name is "" if it has none. */
  landmark?: { role: string; name: string };
  /** Text of the heading around the element, or of the last heading before it. */
  heading?: string;
  /** Accessible name. */
  name?: string;
  /** Role, explicit or implied by the markup. */
  role?: string;
  /** Name of the control that was opened to show the element. */
  opened?: string;
  /** Name of the dialog that was closed to show the element; "" for one without a name. */
  closed?: string;
}

/** One element of a finding. */
export interface ElementResult {
  /** CSS selectors from the outermost frame inwards; an inner array crosses shadow roots. */
  target: (string | string[])[];
  /** Opening markup of the element, at most 2,048 UTF-8 bytes. */
  html: string;
  /** True when `html` was longer and has been cut. */
  htmlCut: boolean;
  impact: Impact | null;
  checks: CheckOutcome[];
  /** Undefined if unknown. */
  context?: ElementContext;
  /** Conditions in which the finding occurs; undefined if its rule runs in one condition only. */
  conditions?: ShownIn[];
  /** Picture of the outlined element (WebP, at most 100,000 bytes); only with `PageRequest.pictures`. */
  picture?: Uint8Array;
  /** Place in the page picture; only with `PageRequest.pagePicture`, for the first elements of each violation. */
  box?: Box;
}

/** A part of a page, in CSS pixels from its top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** An element on which the Tab key put the focus. */
export interface WalkStop {
  /** Accessible name, at most 100 characters; "" without one. */
  name: string;
  role: string | null;
  /** Place in the page, in CSS pixels; null if the element is not drawn. */
  box: Box | null;
  /** For the first stop: names of the dialogs that were closed before it, after the page had arrived with them; "" for one without a name. */
  closed?: string[];
}

/** Stops of a walk with the Tab key. */
export interface KeyboardWalk {
  /** The first 200 stops, in order. */
  stops: WalkStop[];
  /** Number of all stops. */
  count: number;
  /** The walk reached the end of the page. */
  isWhole: boolean;
  /** Picture of the page from its top (WebP, at most 400,000 bytes), and the size of the pictured part, in CSS pixels. */
  picture?: { image: Uint8Array; width: number; height: number };
}

/** One rule's result on a page, in one category. */
export interface FindingResult {
  /** Unique over all sources. */
  ruleId: string;
  source: RuleSource;
  impact: Impact | null;
  tags: string[];
  /** English; see `helpUrl` for more. */
  help: string;
  description: string;
  helpUrl: string;
  /** Number of all affected elements, including those not in `elements`. */
  elementCount: number;
  /** Filled only for `violations` and `incomplete`. */
  elements: ElementResult[];
  /** Conditions in which the rule had this outcome; undefined if the rule runs in one condition only. */
  conditions?: ShownIn[];
  /** Removed from a report if the reader's plan does not include it: the elements are counted, none is listed. */
  withheld?: true;
}

/**
 * Why a page may have shown more later: its scripts waited for an answer; it kept changing or sending requests (a clock,
 * a carousel, polling); it grew each time that it was scrolled to its end; parts of it were still marked as loading; a
 * connection to its server stayed open; it went on to another address; there was no time to watch it.
 */
export const LATE = ["requests", "moving", "growing", "placeholders", "connection", "leaving", "unwatched"] as const;
export type Late = (typeof LATE)[number];

/** Parts of the page that were not examined. */
export interface Gaps {
  /** Addresses of documents in frames, objects and embeds that could not be analysed; "" for one without an address. */
  frames: string[];
  /** Number of closed shadow roots, which scripts cannot look into. */
  closedShadowRoots: number;
  /** Number of sub-resources that were refused or did not load. */
  resources: number;
  /**
   * Number of requests that failed while the page was used: the connection is cut before that. Their content was not seen.
   * Undefined if the page was not used.
   */
  offline?: number;
  /** Number of unused controls that may open something. Undefined without advanced analyses. */
  unopened?: number;
  /** True when the whole page was invisible, so that rules about visible content had nothing to test. */
  concealed: boolean;
  /** True when the page never finished loading, or was cut off, and was analysed in that state. */
  unfinished: boolean;
  /** Reasons why the page may have shown more after its last analysis. */
  late: Late[];
  /** The selector (`PageRequest.waitFor`) that did not appear, and how long the wait was, in ms. */
  missing: { selector: string; waitedMs: number } | null;
}

/** All parts of the page were examined. */
export const NO_GAPS: Gaps = { frames: [], closedShadowRoots: 0, resources: 0, concealed: false, unfinished: false, late: [], missing: null };

export interface FailureDetail {
  httpStatus?: number;
  contentType?: string;
  /** Time until the site allows a retry (`Retry-After`), in ms. */
  retryAfterMs?: number;
  /** The browser crashed or did not start, in every attempt; the page may not be the cause. */
  browserDied?: boolean;
  /** The exact error, in English, for logs and experts (e.g. `net::ERR_CERT_DATE_INVALID`). */
  technical?: string;
  /** The refused address, or the unreachable host, if it is not the requested one. */
  address?: string;
}

interface PageBase {
  /** The requested address. */
  url: string;
  /** The last address reached after redirects. */
  finalUrl: string;
  /** The first page of the site found to link to it; undefined if none was. */
  linkedFrom?: string;
  /** Unix time in ms at which the check began. */
  checkedAt: number;
  durationMs: number;
}

/** Stages of a visit in their order; all but the first may not be needed. */
export const STAGES = ["analysis", "contrast", "pictures", "conditions", "use"] as const;
export type Stage = (typeof STAGES)[number];

/** Time that a stage of a visit took, and its time limit. Both in ms. */
export interface StageTime {
  stage: Stage;
  ms: number;
  limitMs: number;
}

export interface CheckedPage extends PageBase {
  status: "succeeded";
  title: string;
  /** The page's `lang`, or "" if it has none. */
  lang: string;
  httpStatus: number;
  /** Rules that ran out of the page's time budget, by id. */
  partial: string[];
  gaps: Gaps;
  /** Times of the stages that ran. */
  stages?: StageTime[];
  findings: Record<Category, FindingResult[]>;
  /** Facts for the rules about whole sites (`PageRequest.ofSite`); undefined if they could not be collected. */
  facts?: SiteFacts;
  /** The page from its top (WebP, at most 400,000 bytes), and the size of what it shows, in CSS pixels; only with `PageRequest.pagePicture`. */
  picture?: { image: Uint8Array; width: number; height: number };
  /** Only with `PageRequest.pictures` and `PageRequest.advanced`; undefined if nothing took the focus. */
  walk?: KeyboardWalk;
}

export interface UncheckedPage extends PageBase {
  status: "failed";
  reason: Reason;
  detail: FailureDetail;
}

/** The outcome of one page. A page that could not be checked is never a clean one. */
export type PageResult = CheckedPage | UncheckedPage;

/** An engine or a set of rules that took part in a check. */
export interface EngineVersion {
  name: "axe-core" | "rampe";
  version: string;
}

/** Engine of each source of rules. */
export const ENGINE_OF = { axe: "axe-core", rampe: "rampe" } as const satisfies Record<RuleSource, EngineVersion["name"]>;

/** A loaded document, just before its analysis. */
export interface Arrival extends DocumentLinks {
  /** The address after redirects. */
  url: string;
}

/** Credentials for a site that is not public. Sent only to the origin of the run's address. */
export type Access =
  | { kind: "basic"; user: string; password: string }
  /** Cookies as in a `Cookie` header: `name=value; other=value`. */
  | { kind: "cookie"; cookie: string };

/** Limits the rules that run, by id. */
export interface RuleChoice {
  /** Only these rules, whatever the standard. */
  only?: string[];
  /** All rules of the standard except these. */
  without?: string[];
}

export interface PageRequest {
  url: string;
  standard: Standard;
  rules?: RuleChoice;
  /** Also runs the rules that need more than the document itself, such as the listeners of scripts. */
  advanced?: boolean;
  /** Part of a site that is scanned as a whole: an advanced analysis also collects facts for the rules about sites. */
  ofSite?: boolean;
  access?: Access & { origin: string };
  /** The analysis starts no earlier than this many ms after loading. */
  waitMs?: number;
  /** A CSS selector; the analysis starts only after it matches, if the time allows. */
  waitFor?: string;
  /**
   * Takes pictures of the first elements of each violated rule, with `advanced` also of those to review, if the time allows. `few`: as a
   * free check shows them, and none if they would delay its first answer.
   */
  pictures?: boolean | "few";
  /** Takes a picture of the whole page too, and records the places of the first elements of each violation in it. */
  pagePicture?: boolean;
  /** Pages of a site run are "background": they give way to pages that a user waits for. */
  priority?: "background";
  /** The party that the request counts for, and its weight: turns for each turn of a party of weight 1. */
  party?: { name: string; weight: number };
  /** No other page is checked meanwhile: a process ended during an earlier check of this page. */
  alone?: boolean;
  /** Called and awaited when the request's turn comes. */
  onBegin?: () => Promise<void>;
  /**
   * Called before the analysis, and again if the page then goes on to another document. To skip this document, the caller
   * aborts the request's signal.
   */
  onArrival?: (arrival: Arrival) => void;
  /** Aborting closes the page; `check` then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface Scanner {
  /** Engines, axe-core first. */
  readonly engines: EngineVersion[];
  /** Useful number of parallel checks: those in analysis, and one that may load meanwhile. More wait. */
  readonly parallel: number;
  /** Checks one page. Never throws because of a page or an address; rejects only when aborted or stopped. */
  check(request: PageRequest): Promise<PageResult>;
  /** Resolves when a browser runs and answers; rejects with the error. */
  ready(): Promise<void>;
  /** Closes every page and the browser; pending checks reject. */
  stop(): Promise<void>;
}

export interface ScannerOptions {
  /** Path of Chromium or its headless shell. */
  executablePath: string;
  /** Number of pages analysed at the same time. */
  concurrency: number;
  /** Time budget for one page, in seconds. */
  pageSeconds: number;
  /** Hosts, `host:port` or CIDR that may be scanned although they are not public. */
  allowPrivate: string[];
  userAgent: string;
  /** English texts of our own rules; without them axe-core's rules run alone. */
  ruleTexts?: RuleTexts;
  log?: EventLog;
}
