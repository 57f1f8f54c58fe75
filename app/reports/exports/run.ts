import type { AcceptanceReader } from "~/findings/acceptance/acceptances.server";
import type { CrawlFacts } from "~/scan/crawl/facts";
import {
  CATEGORIES,
  type Category,
  type ElementResult,
  type EngineVersion,
  type FindingResult,
  type Level,
  type PageResult,
  type Standard,
} from "~/scan/types";

/** Facts about a whole run, for the reports. */
export interface RunFacts {
  id: string;
  url: string;
  scope: "page" | "site";
  /** Unix time in ms. */
  createdAt: number;
  finishedAt: number;
  /** Final status; undefined: derived from the pages, as on the command line. */
  status?: "succeeded" | "failed" | "canceled";
  standard: Standard;
  /** Engines that took part, the latest first; empty if no page has been visited. */
  engines: EngineVersion[];
  /** Name of the product, with its version if known. */
  product: string;
  /** Requested maximum of pages; null or undefined: none requested. */
  maxPages?: number | null;
  /** Excluded path prefixes. */
  excludedPaths?: string[];
  /** Wait before the analysis of each page: ms, and a CSS selector. */
  waitMs?: number | null;
  waitFor?: string | null;
  /** Facts about a whole site besides its pages. */
  crawl?: CrawlFacts;
  /** The same for several sites in one call of the command line. */
  crawls?: { url: string; facts: CrawlFacts }[];
  /** Rules with counted but unlisted elements: the plan includes only an earlier version of WCAG in full. */
  withheld?: { rules: string[]; inFull: Standard["version"] };
  /** The stored elements were deleted to save space; their counts are still right. */
  evidenceGone?: boolean;
  /** Accepted elements are unknown: the stored elements were deleted. */
  acceptedUnknown?: boolean;
  /** Answers of people for elements that the engine could not judge. */
  judgementOf?: JudgementOf;
  /** Accepted findings: listed, but not part of any sum. */
  accepted?: AcceptanceReader;
  acceptedElements?: number;
  /** Verdicts of people on success criteria, in the order of the standard. */
  assessments?: Assessment[];
}

export interface Judgement {
  answer: "problem" | "no_problem" | "ignore";
  reason: string | null;
  /** Name of the person. */
  by: string;
  /** Unix time in ms. */
  at: number;
}

/** Verdict of a person on a success criterion, for all scanned pages. */
export interface Assessment {
  /** Number such as `1.4.3`. */
  criterion: string;
  level: Level;
  /** `open`: not decided yet, with a note. */
  verdict: "fulfilled" | "not_fulfilled" | "not_applicable" | "open";
  note: string | null;
  /** Name of the person. */
  by: string;
  /** Unix time in ms. */
  at: number;
}

/** Answer of a person; undefined if not reviewed. @param at.pageUrl the requested address */
export type JudgementOf = (at: {
  pageUrl: string;
  rule: Pick<FindingResult, "source" | "ruleId">;
  element: Pick<ElementResult, "target" | "html">;
}) => Judgement | undefined;

/**
 * Sums over the pages of a run: a category counts rules per page, `elements` counts elements of violations,
 * `violatedRules` counts each violated rule once, for any number of pages.
 */
export interface RunStats extends Record<Category, number> {
  pages: number;
  failedPages: number;
  elements: number;
  violatedRules: number;
  /** Number of accepted elements; no other sum includes them; undefined for none. */
  accepted?: number;
}

export function statsOf(pages: PageResult[]): RunStats {
  const counter = createStatsCounter();
  for (const page of pages) counter.add(page);
  return counter.stats();
}

/** Adds up the pages of a run one by one. */
export function createStatsCounter() {
  const sums = { pages: 0, failedPages: 0, violations: 0, incomplete: 0, passes: 0, inapplicable: 0, elements: 0 };
  const violated = new Set<string>();
  return { add, stats: (): RunStats => ({ ...sums, violatedRules: violated.size }) };

  function add(page: PageResult): void {
    sums.pages += 1;
    if (page.status === "failed") {
      sums.failedPages += 1;
      return;
    }
    for (const category of CATEGORIES) sums[category] += page.findings[category].length;
    for (const { ruleId, elementCount } of page.findings.violations) {
      sums.elements += elementCount;
      violated.add(ruleId);
    }
  }
}

/** Outcome of a run: its status if known; otherwise succeeded if at least one page was checked. */
export function outcomeOf({ status }: Pick<RunFacts, "status">, { pages, failedPages }: RunStats) {
  return status ?? (pages > failedPages ? "succeeded" : "failed");
}

/** Name such as `WCAG 2.2 AA`. */
export const nameOf = ({ version, level }: Standard) => `WCAG ${version} ${level}`;

/** Position of an element as one text: frames separated by ` >> `, shadow roots by ` > `. */
export const targetText = (target: (string | string[])[]) =>
  target.map((part) => (typeof part === "string" ? part : part.join(" > "))).join(" >> ");
