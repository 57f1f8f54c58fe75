import type { RunStatus } from "db/tables/runs";
import type { EvidenceState } from "~/findings/evidence-state";
import type { CrawlFacts } from "~/scan/crawl/facts";
import type { Category, EngineVersion, Impact, Reason, Standard } from "~/scan/types";

/** A request to check a URL. Times are Unix time in ms. */
export interface Run {
  /** Unguessable: the link alone opens an anonymous run. */
  id: string;
  /** Id of the user; null if a visitor started it. */
  owner: string | null;
  url: string;
  scope: "page" | "site";
  standard: Standard;
  /** WCAG version with a full report; additions of later versions may be withheld (`app/reports/report-entitlement.server.ts`). */
  fullVersion: Standard["version"];
  /** True if its pages get the advanced analyses of a higher plan. */
  isAdvanced: boolean;
  status: RunStatus;
  /** Reason of the failure; null for other runs. */
  reason: Reason | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number;
  /** Time of the claim, if it was a free check before; null otherwise. */
  claimedAt: number | null;
  /** All engines and rule sets that took part, the latest first; empty before the first page is finished. */
  engines: EngineVersion[];
  /** Number of pages with an outcome, plus known pages without one yet. */
  knownPages: number;
  /** Maximum pages to check; null for the limit of this installation. */
  maxPages: number | null;
  /** Path prefixes excluded from the visit. */
  excludedPaths: string[];
  /** Requested wait before the analysis of each page, in ms, and the selector to wait for. */
  waitMs: number | null;
  waitFor: string | null;
  /** Facts about a whole site besides its pages; null for a single page, and before the first crawled page. */
  crawl: CrawlFacts | null;
  /** State of the stored evidence (elements): complete, without pictures and passes, or deleted. */
  evidence: EvidenceState;
  stats: RunStats;
}

/** Sums over the finished pages of a run; a category counts findings, on one page one per rule. */
interface RunStats extends Record<Category, number> {
  /** Number of finished pages, with those that could not be checked. */
  pages: number;
  failedPages: number;
  /** Number of pages checked in part. */
  partlyPages: number;
  /** Number of rules violated on at least one page, each counted once. */
  violatedRules: number;
  /** Number of elements that violate a rule. */
  elements: number;
  /** Number of accepted elements, which are not included in the other numbers. */
  accepted: number;
  /** Violated rules by impact. */
  impacts: Record<Impact, number>;
}

/** True if the run has ended, is missing or deleted. */
export function isOver(run: Pick<Run, "status"> | undefined): boolean {
  return run?.status !== "queued" && run?.status !== "running";
}
