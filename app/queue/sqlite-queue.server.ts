import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql, type Selectable, type Updateable } from "kysely";
import type { Db, JobTable, Trx } from "db/schema";
import type { Commit, Job, JobHandler, NewJob, Queue } from "./queue";
import { isGone, leaseName, thisProcess, type WorkerId } from "./worker-id.server";

// A job is not to blame when its process is killed, so that this is generous; but one that kills its process every
// time must come to an end.
const MAX_DEATHS = 10;
const LONGEST_WAIT_MS = 60_000;
// For handlers to notice that they were aborted.
const SETTLE_MS = 1_000;

const NO_LEASE = { leased_by: null, lease_until: null, heartbeat_at: null };

export interface SqliteQueueOptions {
  db: Db;
  /** Which jobs of the table are this queue's. */
  name?: string;
  /** A worker that has not been heard of for so long has lost its job. */
  leaseMs?: number;
  heartbeatMs?: number;
  /** How often to look for jobs of other processes, retries that are due, and lost leases. */
  pollMs?: number;
  /** Wait before the second attempt; doubles with each further one. */
  retryMs?: number;
  now?: () => number;
  worker?: WorkerId;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

interface Claim {
  job: Job;
  leasedBy: string;
  maxAttempts: number;
  abort: AbortController;
  /** Resolves, never rejects, when nothing more happens to the job here. */
  over: Promise<void>;
}

class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** A queue in the `job` table of the application's own database, worked off in this process. */
export function createSqliteQueue({
  db,
  name = "scan",
  leaseMs = 15_000,
  heartbeatMs = 5_000,
  pollMs = 1_000,
  retryMs = 1_000,
  now = Date.now,
  worker = thisProcess(),
  log = () => {},
}: SqliteQueueOptions): Queue {
  let phase: "idle" | "working" | "stopped" = "idle";
  let capacity = 0;
  let handler: JobHandler;
  let timers: NodeJS.Timeout[] = [];
  // One turn at a time, so that two do not fill the same place.
  let turn: Promise<void> = Promise.resolve();
  const claims = new Map<string, Claim>();

  return { enqueue, cancel, work, stop, position };

  async function enqueue(trx: Trx, { runId, payload = null }: NewJob): Promise<string> {
    const id = randomBytes(16).toString("base64url");
    const at = now();
    await trx
      .insertInto("job")
      .values({
        id,
        queue: name,
        run_id: runId,
        payload: JSON.stringify(payload),
        state: "queued",
        run_at: at,
        created_at: at,
      })
      .execute();
    // The one connection is the transaction's until its end: the claim waits for that by itself.
    setImmediate(wake);
    return id;
  }

  async function cancel(trx: Trx, runId: string): Promise<void> {
    await trx
      .updateTable("job")
      .set({ state: "done", finished_at: now(), error: "canceled", ...NO_LEASE })
      .where("run_id", "=", runId)
      .where("queue", "=", name)
      .where("state", "in", ["queued", "running"])
      .execute();
    // Those at work here need not find out by their next heartbeat; its questions wait for the transaction's end.
    if ([...claims.values()].some(({ job }) => job.runId === runId)) setImmediate(() => void heartbeat());
  }

  async function work(jobHandler: JobHandler, { concurrency }: { concurrency: number }): Promise<void> {
    if (phase !== "idle") throw new Error("This queue has been started already.");
    handler = jobHandler;
    capacity = concurrency;
    phase = "working";
    await takeBack(await running((lease) => isGone(lease.leased_by ?? "", worker)));
    timers = [setInterval(poll, pollMs), setInterval(() => void heartbeat(), heartbeatMs)];
    wake();
  }

  function poll(): void {
    takeTurn(async () => {
      const at = now();
      // A lease of our own that ran out while this process was held up is renewed by the next heartbeat.
      await takeBack(await running(({ id, lease_until }) => (lease_until ?? 0) <= at && !claims.has(id)));
      await fill();
    });
  }

  function wake(): void {
    takeTurn(fill);
  }

  function takeTurn(action: () => Promise<void>): void {
    if (phase !== "working") return;
    turn = turn.then(action).catch((error: unknown) => log("queue turn failed", { err: error }));
  }

  async function fill(): Promise<void> {
    while (phase === "working" && claims.size < capacity) {
      const claim = await claimNext();
      if (!claim) return;
      claims.set(claim.job.id, claim);
      claim.over = perform(claim);
    }
  }

  async function claimNext(): Promise<Claim | undefined> {
    const leasedBy = leaseName(worker, randomBytes(9).toString("base64url"));
    const at = now();
    const row = await db
      .updateTable("job")
      .set((eb) => ({
        state: "running",
        attempts: eb("attempts", "+", 1),
        leased_by: leasedBy,
        lease_until: at + leaseMs,
        heartbeat_at: at,
      }))
      .where("id", "=", (eb) =>
        eb
          .selectFrom("job")
          .select("id")
          .where("queue", "=", name)
          // A literal: SQLite matches a partial index before it knows parameters.
          .where("state", "=", sql.lit("queued"))
          .where("run_at", "<=", at)
          .orderBy("run_at")
          .orderBy(sql`rowid`)
          .limit(1),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    return {
      job: toJob(row),
      leasedBy,
      maxAttempts: row.max_attempts,
      abort: new AbortController(),
      over: Promise.resolve(),
    };
  }

  async function perform(claim: Claim): Promise<void> {
    const { job, abort } = claim;
    try {
      const commit = await handler.work(job, {
        signal: abort.signal,
        checkpoint: (part) => checkpoint(claim, part),
      });
      await db.transaction().execute(async (trx) => {
        await release(trx, claim, { state: "done", finished_at: now(), error: null });
        await commit(trx);
      });
      announce(job);
    } catch (error) {
      if (error instanceof LeaseLost || abort.signal.aborted)
        log("job left to others", { job: job.id, run: job.runId });
      else await failed(claim, error);
    } finally {
      claims.delete(job.id);
      wake();
    }
  }

  async function checkpoint({ job, leasedBy }: Claim, commit: Commit): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("job")
        .set({ attempts: 1, deaths: 0 })
        .where("id", "=", job.id)
        .where("leased_by", "=", leasedBy)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new LeaseLost();
      await commit(trx);
    });
    job.attempt = 1;
  }

  async function failed(claim: Claim, error: unknown): Promise<void> {
    const { job, maxAttempts } = claim;
    const last = job.attempt >= maxAttempts;
    log(last ? "job given up" : "job attempt failed", {
      job: job.id,
      run: job.runId,
      attempt: job.attempt,
      err: error,
    });
    try {
      await db.transaction().execute(async (trx) => {
        const description = describe(error);
        if (last) {
          await release(trx, claim, { state: "failed", finished_at: now(), error: description });
          await handler.giveUp(trx, job);
        } else {
          await release(trx, claim, {
            state: "queued",
            run_at: now() + wait(job.attempt),
            error: description,
          });
          await handler.putBack(trx, job);
        }
      });
      announce(job);
    } catch (cause) {
      // The lease stays, runs out, and somebody takes the job back.
      log("job could not be put back", { job: job.id, run: job.runId, err: cause });
    }
  }

  async function running(isLost: (job: Selectable<JobTable>) => boolean): Promise<Selectable<JobTable>[]> {
    const rows = await db
      .selectFrom("job")
      .selectAll()
      .where("queue", "=", name)
      .where("state", "=", sql.lit("running"))
      .execute();
    return rows.filter(isLost);
  }

  async function takeBack(rows: Selectable<JobTable>[]): Promise<void> {
    for (const row of rows) {
      const job = toJob(row);
      const lease = { job, leasedBy: row.leased_by ?? "" };
      const deaths = row.deaths + 1;
      const died = { attempts: row.attempts - 1, deaths, error: "the process that worked on it ended" };
      log("job taken back", { job: job.id, run: job.runId, deaths });
      try {
        await db.transaction().execute(async (trx) => {
          if (deaths >= MAX_DEATHS) {
            await release(trx, lease, { ...died, state: "failed", finished_at: now() });
            await handler.giveUp(trx, job);
          } else {
            // Once may be chance, and keeps its place; whoever dies again lets the others go first.
            const runAt = deaths === 1 ? row.run_at : now() + wait(deaths - 1);
            await release(trx, lease, { ...died, state: "queued", run_at: runAt });
            await handler.putBack(trx, job);
          }
        });
      } catch (error) {
        // Its worker lives after all, or another one was quicker.
        if (error instanceof LeaseLost) continue;
        throw error;
      }
      announce(job);
    }
  }

  async function heartbeat(): Promise<void> {
    const at = now();
    for (const { job, leasedBy, abort } of [...claims.values()]) {
      try {
        const { numUpdatedRows } = await db
          .updateTable("job")
          .set({ lease_until: at + leaseMs, heartbeat_at: at })
          .where("id", "=", job.id)
          .where("leased_by", "=", leasedBy)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) abort.abort(new LeaseLost());
      } catch (error) {
        log("heartbeat failed", { job: job.id, run: job.runId, err: error });
      }
    }
  }

  async function stop({ graceMs }: { graceMs: number }): Promise<void> {
    if (phase !== "working") {
      phase = "stopped";
      return;
    }
    phase = "stopped";
    await turn;
    await overWithin(graceMs);
    for (const timer of timers) clearInterval(timer);
    for (const claim of [...claims.values()]) await handBack(claim);
    await overWithin(SETTLE_MS);
  }

  async function overWithin(ms: number): Promise<void> {
    const patience = new AbortController();
    const all = Promise.all([...claims.values()].map(({ over }) => over));
    await Promise.race([all, delay(ms, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
  }

  async function handBack(claim: Claim): Promise<void> {
    const { job, abort } = claim;
    abort.abort(new Error("The queue stops."));
    try {
      await db.transaction().execute(async (trx) => {
        await release(trx, claim, { state: "queued", attempts: job.attempt - 1 });
        await handler.putBack(trx, job);
      });
      announce(job);
    } catch (error) {
      // It was finished in the last moment; anything else, the next start finds.
      if (!(error instanceof LeaseLost))
        log("job could not be handed back", { job: job.id, run: job.runId, err: error });
    }
  }

  function announce(job: Job): void {
    try {
      handler.settled?.(job);
    } catch (error) {
      log("telling about a job failed", { job: job.id, run: job.runId, err: error });
    }
  }

  async function position(runId: string): Promise<number | null> {
    const { rows } = await sql<{ place: number }>`
      select count(*) as place
      from job as mine
      join job as ahead on ahead.queue = mine.queue and ahead.state = 'queued'
        and (ahead.run_at, ahead.rowid) <= (mine.run_at, mine.rowid)
      where mine.run_id = ${runId} and mine.queue = ${name} and mine.state = 'queued'`.execute(db);
    return rows[0]?.place || null;
  }

  function wait(failures: number): number {
    return Math.min(retryMs * 2 ** (failures - 1), LONGEST_WAIT_MS);
  }
}

/** Ends a lease. The one place where a job stops running, and only for who holds it. */
async function release(
  trx: Trx,
  { job, leasedBy }: Pick<Claim, "job" | "leasedBy">,
  change: Updateable<JobTable>,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("job")
    .set({ ...change, ...NO_LEASE })
    .where("id", "=", job.id)
    .where("leased_by", "=", leasedBy)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new LeaseLost();
}

function toJob(row: Selectable<JobTable>): Job {
  return {
    id: row.id,
    runId: row.run_id,
    payload: JSON.parse(row.payload) as unknown,
    attempt: row.attempts,
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
