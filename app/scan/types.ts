/**
 * What the engine takes and gives. Plain data: it can be stored, sent and compared.
 * The engine knows no SQL, no HTTP route and no language; texts in it are axe-core's English ones.
 */

import type { DocumentLinks } from "./page/links";

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
/** Why a page could not be checked. */
export type Reason = (typeof REASONS)[number];

export const CATEGORIES = ["violations", "incomplete", "passes", "inapplicable"] as const;
export type Category = (typeof CATEGORIES)[number];

export const IMPACTS = ["critical", "serious", "moderate", "minor"] as const;
export type Impact = (typeof IMPACTS)[number];

export const LEVELS = ["A", "AA", "AAA"] as const;
export type Level = (typeof LEVELS)[number];

/** The success criteria a page is held against, e.g. WCAG 2.2 up to and including level AA. */
export interface Standard {
  version: "2.1" | "2.2";
  level: Level;
}

/** One of axe-core's checks that decided about an element; `data` is what its message is made from. */
export interface CheckOutcome {
  group: "any" | "all" | "none";
  id: string;
  data: unknown;
  /** axe-core's English message. */
  message: string;
}

/** Where an element is, in the words of the page; each text has at most 200 characters. */
export interface ElementPlace {
  /** The innermost landmark around it, by its role; the name is "" where it has none. */
  landmark?: { role: string; name: string };
  /** Text of the heading that it is in, or of the last one before it. */
  heading?: string;
  /** Its accessible name. */
  name?: string;
  /** Its role, also one that its markup implies. */
  role?: string;
}

/** One place of a finding. */
export interface ElementResult {
  /** CSS selectors from the outermost frame inwards; an inner array crosses shadow roots. */
  target: (string | string[])[];
  /** Opening markup of the element, at most 2,048 UTF-8 bytes. */
  html: string;
  /** True when `html` was longer and has been cut. */
  htmlCut: boolean;
  impact: Impact | null;
  checks: CheckOutcome[];
  /** Undefined where it is not known. */
  place?: ElementPlace;
  /** The element as it was shown, outlined (WebP, at most 100,000 bytes); for those of `PageRequest.pictures` alone. */
  picture?: Uint8Array;
}

/** One rule's result on a page, in one category. */
export interface FindingResult {
  ruleId: string;
  /** Who found it: axe-core, or a check of our own (later). */
  source: "axe";
  impact: Impact | null;
  tags: string[];
  /** English; see `helpUrl` for more. */
  help: string;
  description: string;
  helpUrl: string;
  /** All elements concerned, also those not listed in `elements`. */
  elementCount: number;
  /** Listed for `violations` and `incomplete` only. */
  elements: ElementResult[];
  /** Taken out of a report whose reader's plan does not include it: the elements are counted, none is listed. */
  withheld?: true;
}

/**
 * Why a page may have shown more later: its scripts waited for an answer; it kept changing or asking its server (a
 * clock, a carousel, polling); it grew each time that it was scrolled to its end; parts of it were still marked as
 * loading; a connection to its server stayed open; it led on to another address by itself; there was no time to watch it.
 */
export const LATE = ["requests", "moving", "growing", "placeholders", "connection", "leaving", "unwatched"] as const;
export type Late = (typeof LATE)[number];

/** What belongs to the page but was not looked at. */
export interface Gaps {
  /** Addresses of documents in frames, objects and embeds that could not be analysed; "" for one without. */
  frames: string[];
  /** Number of closed shadow roots, into which no script can look. */
  closedShadowRoots: number;
  /** Number of sub-resources that were refused or did not load. */
  resources: number;
  /** True when everything on the page was invisible, so that rules about what is seen had nothing to look at. */
  concealed: boolean;
  /** True when the page never finished loading, or broke off, and was analysed as it stood. */
  unfinished: boolean;
  /** What the page still waited for when it was analysed for the last time. */
  late: Late[];
  /** The selector that was waited for (`PageRequest.waitFor`) and did not appear, and how long that was, in ms. */
  missing: { selector: string; waitedMs: number } | null;
}

export interface FailureDetail {
  httpStatus?: number;
  contentType?: string;
  /** How long the site asks to be left alone (`Retry-After`), in ms. */
  retryAfterMs?: number;
  /** The browser died or did not start, each time; the page need not be to blame. */
  browserDied?: boolean;
  /** What exactly went wrong, in English, for logs and experts (e.g. `net::ERR_CERT_DATE_INVALID`). */
  technical?: string;
  /** The address refused, or the host that could not be reached, when it is not the one asked for. */
  address?: string;
}

interface PageBase {
  /** The address asked for. */
  url: string;
  /** The address after redirects, as far as it got. */
  finalUrl: string;
  /** The first page of the site that was seen to link to it; undefined where none was. */
  linkedFrom?: string;
  /** Unix time in ms at which the check began. */
  checkedAt: number;
  durationMs: number;
}

export interface CheckedPage extends PageBase {
  status: "succeeded";
  title: string;
  /** The page's `lang`, or "" where it names none. */
  lang: string;
  httpStatus: number;
  /** Rules that ran out of the page's time budget, by id. */
  partial: string[];
  gaps: Gaps;
  findings: Record<Category, FindingResult[]>;
}

export interface UncheckedPage extends PageBase {
  status: "failed";
  reason: Reason;
  detail: FailureDetail;
}

/** The outcome of one page. A page that could not be checked is never a clean one. */
export type PageResult = CheckedPage | UncheckedPage;

export interface EngineVersion {
  name: "axe-core";
  version: string;
}

/** A document that has come to rest and is about to be analysed. */
export interface Arrival extends DocumentLinks {
  /** The address after redirects. */
  url: string;
}

/** What opens a site that is not public. It is sent to the origin of the run's address alone. */
export type Access =
  | { kind: "basic"; user: string; password: string }
  /** As in a `Cookie` header: `name=value; other=value`. */
  | { kind: "cookie"; cookie: string };

export interface PageRequest {
  url: string;
  standard: Standard;
  access?: Access & { origin: string };
  /** The page is not analysed before it is loaded for so many ms. */
  waitMs?: number;
  /** A CSS selector; the page is not analysed before it matches something, as far as the time allows. */
  waitFor?: string;
  /** Takes pictures of the first elements of each violated rule, as far as the time allows. */
  pictures?: boolean;
  /** Pages of a site run are "background": they give way to pages that somebody waits for. */
  priority?: "background";
  /** Whose turn it takes, and how many that party has for one of a party of weight 1. */
  party?: { name: string; weight: number };
  /** Nothing else is checked meanwhile: a process has ended while it was. */
  alone?: boolean;
  /** Called when it is the order's turn, and waited for. */
  onBegin?: () => Promise<void>;
  /**
   * Called before the analysis; again, where the page then leads on to another document. Whoever does not want this
   * document aborts the order's signal.
   */
  onArrival?: (arrival: Arrival) => void;
  /** Aborting closes the page; `check` then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface Scanner {
  readonly engine: EngineVersion;
  /** Checks worth asking for at once: those that are analysed, and one that may load meanwhile. More wait. */
  readonly parallel: number;
  /** Checks one page. Never throws for anything a page or an address does; rejects only when aborted or stopped. */
  check(order: PageRequest): Promise<PageResult>;
  /** Resolves when a browser is up and answers; rejects with what is wrong. */
  ready(): Promise<void>;
  /** Closes every page and the browser; pending checks reject. */
  stop(): Promise<void>;
}

export interface ScannerOptions {
  /** Path of Chromium or its headless shell. */
  executablePath: string;
  /** Pages analysed at once. */
  concurrency: number;
  /** Time budget for one page, in seconds. */
  pageSeconds: number;
  /** Hosts, `host:port` or CIDR that may be scanned although they are not public. */
  allowPrivate: string[];
  userAgent: string;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}
