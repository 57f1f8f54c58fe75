import type { Selectable } from "kysely";
import type { RunTable } from "db/tables/runs";
import { fromStoredFacts, type StoredFacts } from "~/scan/crawl/facts";
import { readPaths } from "./excluded-paths.server";
import type { Run } from "./run";
import { enginesOf, ruleIds } from "./run-sums.server";

/** Value of `run.mail_when_done`. */
export function storedMailWish(wanted: boolean | undefined): 0 | 1 | 2 {
  if (wanted === undefined) return 0;
  return wanted ? 1 : 2;
}

/** True for advanced analyses, by the plan of the run: not for free checks, trials, and plans with an older WCAG version. */
export function isAdvanced(row: Pick<Selectable<RunTable>, "owner" | "full_version" | "standard_version" | "trial" | "claimed_at">): boolean {
  return row.owner !== null && (row.full_version ?? row.standard_version) >= row.standard_version && row.trial === 0 && row.claimed_at === null;
}

/** Converts a row to a `Run` with all results, without the access data of a protected site. */
export function toRun(row: Selectable<RunTable>): Run {
  return {
    id: row.id,
    owner: row.owner,
    url: row.url,
    scope: row.scope,
    standard: { version: row.standard_version, level: row.standard_level },
    fullVersion: row.full_version ?? row.standard_version,
    isAdvanced: isAdvanced(row),
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
    claimedAt: row.claimed_at,
    engines: enginesOf(row),
    knownPages: row.known_pages,
    maxPages: row.max_pages,
    excludedPaths: readPaths(row.left_out),
    waitMs: row.wait_ms,
    waitFor: row.wait_for,
    evidence: row.evidence,
    crawl: row.crawl === null ? null : fromStoredFacts(JSON.parse(row.crawl) as StoredFacts),
    stats: {
      pages: row.pages,
      failedPages: row.failed_pages,
      partlyPages: row.partly_pages,
      violations: row.violations,
      incomplete: row.incomplete,
      passes: row.passes,
      inapplicable: row.inapplicable,
      violatedRules: ruleIds(row.violated_rules).length,
      elements: row.elements,
      accepted: 0,
      impacts: { critical: row.critical, serious: row.serious, moderate: row.moderate, minor: row.minor },
    },
  };
}
