import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { withoutWriteLock } from "db/without-write-lock";
import { isPostgres } from "db/dialect";
import { prepared } from "db/prepared";
import type { Db } from "db/schema";
import { JOB_COLUMNS, type LeasedJob } from "./lease.server";
import { lanesUnderWay } from "./turns.server";
import { leaseName, type WorkerId } from "./worker-id.server";

/** Longest wait before another attempt. */
export const LONGEST_WAIT_MS = 60_000;

interface ClaimOptions {
  db: Db;
  /** Name of the queue. */
  name: string;
  worker: WorkerId;
  leaseMs: number;
  now: () => number;
}

/** PostgreSQL's error code `unique_violation`. */
const DUPLICATE = "23505";
/** Attempts to take a job, if another process has just taken one of its lane. */
const MOST_ATTEMPTS = 3;

/**
 * Leases the next job whose time has come and whose lane is free.
 * @param unfit parties that may not start another job
 */
export async function leaseNext(options: ClaimOptions, unfit: string[]): Promise<LeasedJob | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lease(options, unfit);
    } catch (error) {
      const isTaken = (error as { code?: unknown }).code === DUPLICATE;
      if (!isTaken || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** Single statement that locks only its own row: many processes may wait for jobs. */
function lease({ db, name, worker, leaseMs, now }: ClaimOptions, unfit: string[]): Promise<LeasedJob | undefined> {
  const leasedBy = leaseName(worker, randomBytes(9).toString("base64url"));
  const at = now();
  return prepared(withoutWriteLock(db))
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
        // Literal value: SQLite chooses a partial index before it knows parameters.
        .where("state", "=", sql.lit("queued"))
        // A time beyond the longest wait means that the clock was set back.
        .where((job) => job.or([job("run_at", "<=", at), job("run_at", ">", at + LONGEST_WAIT_MS)]))
        .where("party", "not in", unfit)
        .where((job) => job.or([job("lane", "is", null), job("lane", "not in", lanesUnderWay(name))]))
        .orderBy("turn")
        .orderBy(sql`rowid`)
        .limit(1)
        .$if(isPostgres(db), (job) => job.forUpdate().skipLocked()),
    )
    .returning(JOB_COLUMNS)
    .executeTakeFirst();
}
