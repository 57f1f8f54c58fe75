import type { Db, Trx } from "db/schema";
import type { ChangeKind } from "~/monitoring/compare";
import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import type { EventLog } from "~/platform/event-log";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { runToCompareWith, type Histories } from "~/monitoring/history.server";
import type { Run } from "~/runs/run";
import { toRun } from "~/runs/run-row.server";

/** Maximum number of comparisons per round; those of large sites take seconds. */
const PER_ROUND = 20;

/** Elements by kind, since the run `before`; null if there is no (or no longer a) run to compare with. */
export type RunChange = { before: string; totals: Record<ChangeKind, number> } | { before: null; isGone?: boolean };

/** Changes with the day of counting: acceptances end by a day. */
type StoredChanges = RunChange & { countedOn?: string };

export interface RunChangesOptions {
  db: Db;
  histories: Pick<Histories, "earlier" | "compare">;
  acceptances: Pick<Acceptances, "forgetChangesOfOver" | "states">;
  now?: () => number;
  log?: EventLog;
}

export type RunChanges = ReturnType<typeof createRunChanges>;

/** Changes of finished runs, counted once in the background, so that lists need not compare. */
export function createRunChanges({ db, histories, acceptances, now = Date.now, log = () => {} }: RunChangesOptions) {
  let endsSeenOn = "";
  return { tick, forgetOutdated };

  /** Counts changes, the newest runs first. Safe for concurrent processes: an outdated comparison is dropped. */
  async function tick(): Promise<void> {
    const today = calendarDay(now());
    if (endsSeenOn !== today) await acceptances.forgetChangesOfOver();
    endsSeenOn = today;
    const rows = await db
      .selectFrom("run")
      .selectAll()
      .where("changes", "is", null)
      .where("status", "=", "succeeded")
      .where("owner", "is not", null)
      .orderBy("finished_at", "desc")
      .limit(PER_ROUND)
      .execute();
    for (const run of rows.map(toRun)) {
      const before = await acceptancesOf(run);
      // A failing comparison must not be retried forever, nor block the others.
      const changes = await changesOf(run).catch((error: unknown): RunChange => {
        log("changes of a scan could not be counted", { run: run.id, err: error });
        return { before: null };
      });
      await store(run, { ...changes, countedOn: today }, before);
    }
  }

  /** Stores changes only if no acceptance started or ended during the comparison; otherwise, the next round counts again. */
  async function store(run: Run, changes: StoredChanges, before: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      if ((await acceptancesOf(run, trx)) !== before) return;
      await trx.updateTable("run").set({ changes: JSON.stringify(changes) }).where("id", "=", run.id).where("changes", "is", null).execute();
    });
  }

  /** Version of the owner's acceptances: changes with each start or end. */
  async function acceptancesOf({ owner }: Run, on?: Trx): Promise<string> {
    return JSON.stringify(owner === null ? [] : await acceptances.states([owner], on));
  }

  /**
   * Clears the stored changes that were counted since another run than the one that they would be compared with
   * now: of the latest run at each address of these runs, as lists show no other.
   * @param ids runs that were deleted or restored
   */
  async function forgetOutdated(owner: string, ids: string[]): Promise<void> {
    const addresses = await db.selectFrom("run").select(["url", "scope"]).distinct().where("id", "in", ids).where("owner", "=", owner).execute();
    for (const { url, scope } of addresses) {
      const latest = await db
        .selectFrom("run")
        .selectAll()
        .where("owner", "=", owner)
        .where("url", "=", url)
        .where("scope", "=", scope)
        .where("status", "=", "succeeded")
        .where("deleted_at", "is", null)
        .orderBy("created_at", "desc")
        .limit(1)
        .executeTakeFirst();
      const counted = readChanges(latest?.changes ?? null);
      if (!latest || !counted) continue;
      const before = await runBefore(owner, toRun(latest));
      if (counted.before !== (before?.id ?? null)) await db.updateTable("run").set({ changes: null }).where("id", "=", latest.id).execute();
    }
  }

  async function changesOf(run: Run): Promise<RunChange> {
    // Otherwise, everything would look fixed.
    if (run.owner === null || run.evidence === "gone") return { before: null };
    const before = await runBefore(run.owner, run);
    return before ? { before: before.id, totals: (await histories.compare(before, run)).totals } : { before: null };
  }

  async function runBefore(owner: string, run: Run): Promise<Run | undefined> {
    return runToCompareWith(run, await histories.earlier(owner, run));
  }
}

/** Changes from `run.changes`; null if they are not counted yet. */
export function readChanges(json: string | null): RunChange | null {
  if (json === null) return null;
  const { countedOn: _, ...change } = JSON.parse(json) as StoredChanges;
  return change as RunChange;
}
