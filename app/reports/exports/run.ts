import type { CrawlFacts } from "~/scan/crawl/store";
import {
  CATEGORIES,
  type Category,
  type ElementResult,
  type EngineVersion,
  type PageResult,
  type Standard,
} from "~/scan/types";

/** What the reports say about a run as a whole. */
export interface RunFacts {
  id: string;
  url: string;
  scope: "page" | "site";
  /** Unix time in ms. */
  createdAt: number;
  finishedAt: number;
  /** How it ended; undefined where its pages alone tell, as on the command line. */
  status?: "succeeded" | "failed" | "canceled";
  standard: Standard;
  /** Null when no page has been visited. */
  engine: EngineVersion | null;
  /** Name of the product, with its version where known. */
  product: string;
  /** The most pages that were asked for; null or undefined for as many as there may be. */
  maxPages?: number | null;
  /** Beginnings of paths that were not to be visited. */
  leftOut?: string[];
  /** What each page was to be waited for: so many ms, and a CSS selector. */
  waitMs?: number | null;
  waitFor?: string | null;
  /** What is to be said about a whole site besides its pages. */
  crawl?: CrawlFacts;
  /** Rules whose elements are counted but not listed, as the plan includes an earlier version of WCAG in full. */
  withheld?: { rules: string[]; inFull: Standard["version"] };
  /** The stored elements were deleted to save space; their counts are still right. */
  evidenceGone?: boolean;
  /** What people have said about elements that the engine could not judge. */
  judgementOf?: JudgementOf;
}

export interface Judgement {
  answer: "problem" | "no_problem" | "ignore";
  reason: string | null;
  /** Who gave it, by name. */
  by: string;
  /** Unix time in ms. */
  at: number;
}

/** Undefined where nobody has looked. @param at.pageUrl the address asked for */
export type JudgementOf = (at: {
  pageUrl: string;
  ruleId: string;
  element: Pick<ElementResult, "target" | "html">;
}) => Judgement | undefined;

/**
 * Sums over the pages of a run; a category counts rules on each page, `elements` those of violations, and `violatedRules`
 * each violated rule once, however many pages it concerns.
 */
export interface RunStats extends Record<Category, number> {
  pages: number;
  failedPages: number;
  elements: number;
  violatedRules: number;
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

/** How a run ended: as it says itself, else it succeeded if any page could be checked. */
export function outcomeOf({ status }: Pick<RunFacts, "status">, { pages, failedPages }: RunStats) {
  return status ?? (pages > failedPages ? "succeeded" : "failed");
}

/** Such as `WCAG 2.2 AA`. */
export const nameOf = ({ version, level }: Standard) => `WCAG ${version} ${level}`;

/** Where an element is, as one text: frames are divided by ` >> `, shadow roots by ` > `. */
export const targetText = (target: (string | string[])[]) =>
  target.map((part) => (typeof part === "string" ? part : part.join(" > "))).join(" >> ");
