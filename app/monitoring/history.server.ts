import type { Db } from "db/schema";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import { noImpacts } from "~/scan/impact";
import type { Impact } from "~/scan/types";
import { compareRuns, type RunComparison } from "./comparison.server";
import { withoutAccepted } from "~/runs/accepted-sums.server";
import type { Run } from "~/runs/run";
import { toRun } from "~/runs/run-row.server";
import { isMostlyUnchecked } from "~/runs/run-view";

/** Maximum number of runs in a history. */
const MOST_RUNS = 24;

/** Run of a history, with the elements that violate rules, by impact. */
export interface HistoryEntry {
  run: Run;
  elements: Record<Impact, number>;
  /** Whether its elements are deleted, so that accepted ones count as open. */
  acceptedUnknown: boolean;
}

/**
 * Default run for a comparison: the latest of the same standard with at least half of its pages checked, otherwise the latest.
 * A run with fewer checked pages cannot show which violations are new.
 * @param earlier result of `Histories.earlier`
 */
export function runToCompareWith({ standard }: Pick<Run, "standard">, earlier: Run[]): Run | undefined {
  const { version, level } = standard;
  return earlier.find((each) => each.standard.version === version && each.standard.level === level && !isMostlyUnchecked(each.stats)) ?? earlier[0];
}

export type Histories = ReturnType<typeof createHistories>;

/** Runs of one address, scope and owner over time. The caller must check that the run belongs to the owner. */
export function createHistories({ db, acceptances = createAcceptances({ db }) }: { db: Db; acceptances?: Acceptances }) {
  return { entries, earlier, hasEarlier, firstSince, compare };

  /** The latest finished runs, the oldest first. @returns `more` when there are older ones */
  async function entries(owner: string, run: Pick<Run, "url" | "scope">): Promise<{ entries: HistoryEntry[]; more: boolean }> {
    const rows = await runsOf(owner, run)
      .where("status", "in", ["succeeded", "failed", "canceled"])
      .limit(MOST_RUNS + 1)
      .execute();
    const shown = await withoutAccepted(acceptances, rows.slice(0, MOST_RUNS).map(toRun).reverse());
    const sums = await elementsByImpact(shown.map(({ id }) => id));
    const unknown = await acceptances.unknownAmong(shown);
    return {
      entries: shown.map((each) => ({ run: each, elements: sums.get(each.id) ?? noImpacts(), acceptedUnknown: unknown.has(each.id) })),
      more: rows.length > MOST_RUNS,
    };
  }

  /** Comparable runs before this one, the latest first. */
  async function earlier(owner: string, run: Pick<Run, "url" | "scope" | "createdAt">): Promise<Run[]> {
    const rows = await runsOf(owner, run)
      .where("status", "=", "succeeded")
      // Otherwise, every element of this run would look new.
      .where("evidence", "!=", "gone")
      .where("created_at", "<", run.createdAt)
      .limit(MOST_RUNS)
      .execute();
    return rows.map(toRun);
  }

  /** Whether there is an earlier run, also one whose elements are deleted. */
  async function hasEarlier(owner: string, run: Pick<Run, "url" | "scope" | "createdAt">): Promise<boolean> {
    const rows = await runsOf(owner, run).where("status", "=", "succeeded").where("created_at", "<", run.createdAt).limit(1).execute();
    return rows.length > 0;
  }

  /** First run requested at or after a time, also a deleted one. @param since Unix time in ms */
  async function firstSince(owner: string, { url, scope }: Pick<Run, "url" | "scope">, since: number): Promise<(Run & { isDeleted: boolean }) | undefined> {
    const row = await db
      .selectFrom("run")
      .selectAll()
      .where("owner", "=", owner)
      .where("url", "=", url)
      .where("scope", "=", scope)
      .where("created_at", ">=", since)
      .orderBy("created_at")
      .limit(1)
      .executeTakeFirst();
    return row && { ...toRun(row), isDeleted: row.deleted_at !== null };
  }

  /** Changes from a run to a later one. */
  function compare(before: Run, now: Run): Promise<RunComparison> {
    return compareRuns(db, acceptances, before, now);
  }

  function runsOf(owner: string, { url, scope }: Pick<Run, "url" | "scope">) {
    return db
      .selectFrom("run")
      .selectAll()
      .where("owner", "=", owner)
      .where("url", "=", url)
      .where("scope", "=", scope)
      .where("deleted_at", "is", null)
      .orderBy("created_at", "desc");
  }

  async function elementsByImpact(runIds: string[]): Promise<Map<string, Record<Impact, number>>> {
    const sums = new Map<string, Record<Impact, number>>();
    if (runIds.length === 0) return sums;
    const rows = await db
      .selectFrom("page")
      .innerJoin("finding", "finding.page_id", "page.id")
      .select(["page.run_id", "finding.impact"])
      .select((eb) => eb.fn.sum<number>("finding.element_count").as("elements"))
      .where("page.run_id", "in", runIds)
      .where("finding.category", "=", "violations")
      .groupBy(["page.run_id", "finding.impact"])
      .execute();
    for (const { run_id, impact, elements } of rows) {
      const sum = sums.get(run_id) ?? noImpacts();
      // Elements without an impact count as the lowest impact.
      sum[impact ?? "minor"] += elements;
      sums.set(run_id, sum);
    }
    for (const [id, { findings }] of await acceptances.ofRuns(runIds)) {
      const sum = sums.get(id);
      if (sum) for (const { impact, accepted } of findings) sum[impact ?? "minor"] -= accepted;
    }
    return sums;
  }
}
