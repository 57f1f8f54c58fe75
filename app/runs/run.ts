import type { RunStatus } from "db/tables/runs";
import type { EvidenceState } from "~/findings/evidence-state";
import type { CrawlFacts } from "~/scan/crawl/facts";
import type { Category, EngineVersion, Impact, Reason, Standard } from "~/scan/types";

/** A request to check a URL. Times are Unix time in ms. */
export interface Run {
  /** Unguessable: the link alone opens an anonymous run. */
  id: string;
  /** The user's id; null when a visitor started it. */
  owner: string | null;
  url: string;
  scope: "page" | "site";
  standard: Standard;
  /** The WCAG version that is reported in full; additions of later versions may be withheld (`app/reports/report-entitlement.server.ts`). */
  fullVersion: Standard["version"];
  /** Its pages get the advanced analyses of a higher plan. */
  isAdvanced: boolean;
  status: RunStatus;
  /** Why a failed run failed. */
  reason: Reason | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number;
  /** Time of the claim, if it was a free check before; null otherwise. */
  claimedAt: number | null;
  /** All that took part, the latest first; empty before the first page is finished. */
  engines: EngineVersion[];
  /** Pages with an outcome, and known pages that will get one. */
  knownPages: number;
  /** The most pages to check; null for as many as this installation allows. */
  maxPages: number | null;
  /** Prefixes of paths that are not visited. */
  excludedPaths: string[];
  /** Requested wait before the analysis of each page, in ms, and the selector to wait for. */
  waitMs: number | null;
  waitFor: string | null;
  /** Facts about a whole site besides its pages; null for a single page, and before the first crawled page. */
  crawl: CrawlFacts | null;
  /** Stored evidence (elements): complete, without pictures and passes, or deleted. */
  evidence: EvidenceState;
  stats: RunStats;
}

/** Sums over the finished pages of a run; a category counts findings, which on one page is the number of rules. */
interface RunStats extends Record<Category, number> {
  /** Finished pages, including those that could not be checked. */
  pages: number;
  failedPages: number;
  /** Pages that were checked in part. */
  partlyPages: number;
  /** Rules that are violated on at least one page, each counted once. */
  violatedRules: number;
  /** Elements that violate a rule. */
  elements: number;
  /** Elements that people accepted: the other numbers are without them. */
  accepted: number;
  /** Violated rules by impact. */
  impacts: Record<Impact, number>;
}

/** The run has ended; true also for a missing or deleted run. */
export function isOver(run: Pick<Run, "status"> | undefined): boolean {
  return run?.status !== "queued" && run?.status !== "running";
}
