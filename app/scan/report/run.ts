import type { CrawlFacts } from "~/scan/crawl/store";
import { CATEGORIES, type Category, type EngineVersion, type PageResult, type Standard } from "~/scan/types";

/** What the reports say about a run as a whole. */
export interface RunFacts {
  id: string;
  url: string;
  scope: "page" | "site";
  /** Unix time in ms. */
  createdAt: number;
  finishedAt: number;
  standard: Standard;
  engine: EngineVersion;
  /** Name of the product, with its version where known. */
  product: string;
  /** What is to be said about a whole site besides its pages. */
  crawl?: CrawlFacts;
}

/** Sums over the pages of a run; a category counts rules on each page, `elements` those of violations. */
export interface RunStats extends Record<Category, number> {
  pages: number;
  failedPages: number;
  elements: number;
}

export function statsOf(pages: PageResult[]): RunStats {
  const stats = noStats();
  for (const page of pages) addTo(stats, page);
  return stats;
}

export function noStats(): RunStats {
  return {
    pages: 0,
    failedPages: 0,
    violations: 0,
    incomplete: 0,
    passes: 0,
    inapplicable: 0,
    elements: 0,
  };
}

/** Adds a page to the sums of its run. */
export function addTo(stats: RunStats, page: PageResult): void {
  stats.pages += 1;
  if (page.status === "failed") {
    stats.failedPages += 1;
    return;
  }
  for (const category of CATEGORIES) stats[category] += page.findings[category].length;
  for (const { elementCount } of page.findings.violations) stats.elements += elementCount;
}

/** Such as `WCAG 2.2 AA`. */
export const nameOf = ({ version, level }: Standard) => `WCAG ${version} ${level}`;

/** Where an element is, as one text: frames are divided by ` >> `, shadow roots by ` > `. */
export const targetText = (target: (string | string[])[]) =>
  target.map((part) => (typeof part === "string" ? part : part.join(" > "))).join(" >> ");
