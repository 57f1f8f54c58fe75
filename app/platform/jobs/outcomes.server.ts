import { setTimeout as delay } from "node:timers/promises";
import type { Updateable } from "kysely";
import type { Db } from "db/schema";
import type { JobTable } from "db/tables/service";
import { withoutWriteLock } from "db/without-write-lock";
import type { EventLog } from "~/platform/event-log";
import { storageTrouble } from "~/platform/storage-trouble";
import { LONGEST_WAIT_MS } from "./claim.server";
import { change, forgetDeaths, LeaseLost, release, type Lease } from "./lease.server";
import type { Commit, JobHandler } from "./queue";

/** Pause before a failed write is retried. */
const STORAGE_RETRY_MS = 2_000;

/** A job that this process works on. */
export interface Work extends Lease {
  maxAttempts: number;
  abort: AbortController;
}

interface OutcomesOptions {
  db: Db;
  /** Wait before the second attempt; each further wait is twice as long. */
  retryMs: number;
  now: () => number;
  isStopping: () => boolean;
  log: EventLog;
}

/** Stores the outcome of jobs: done, failed, or put back. Each function changes a job only while this process holds it. */
export function createOutcomes({ db, retryMs, now, isStopping, log }: OutcomesOptions) {
  return { store, mark, finish, fail, handBack };

  /** Stores a change in one transaction. @throws {LeaseLost} */
  function store(work: Work, commit: Commit): Promise<void> {
    return patiently(work, () => db.transaction().execute(commit));
  }

  /** Changes nothing but the job, which its lease protects: no other write needs to wait. @throws {LeaseLost} */
  function mark(work: Work, values: Updateable<JobTable>): Promise<void> {
    return patiently(work, () => change(withoutWriteLock(db), work, values));
  }

  /** Retries while the database cannot be written, because that is no failure of the job. */
  async function patiently({ job, abort }: Work, write: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        const trouble = storageTrouble(error);
        if (trouble === null || isStopping() || abort.signal.aborted) throw error;
        if (attempt === 1) log("job waits until it can be stored", { job: job.id, run: job.runId, trouble });
        await delay(STORAGE_RETRY_MS, undefined, { signal: abort.signal }).catch(() => {});
      }
    }
  }

  /** Ends the job with its result. @throws {LeaseLost} */
  function finish(work: Work, commit: Commit): Promise<void> {
    return store(work, (trx) => release(trx, work, { state: "done", finished_at: now(), error: null }).then(() => commit(trx)));
  }

  /** Puts the job back for another attempt, or gives it up after the last one. @returns false if it could not be stored */
  async function fail(work: Work, error: unknown, handler: JobHandler): Promise<boolean> {
    const { job, maxAttempts } = work;
    const isInnocent = storageTrouble(error) !== null;
    const isLast = job.attempt >= maxAttempts && !isInnocent;
    log(isLast ? "job given up" : "job attempt failed", { job: job.id, run: job.runId, attempt: job.attempt, err: error });
    try {
      await store(work, async (trx) => {
        if (isLast) {
          await release(trx, work, { state: "failed", finished_at: now(), error: describe(error) });
          await handler.giveUp(trx, job);
        } else {
          const attempts = isInnocent ? job.attempt - 1 : job.attempt;
          await release(trx, work, { state: "queued", attempts, run_at: now() + waitAfter(job.attempt), error: describe(error) });
          await handler.putBack(trx, job, "failed");
        }
      });
      return true;
    } catch (cause) {
      // The lease expires, and a worker takes back the job.
      log("job could not be put back", { job: job.id, run: job.runId, err: cause });
      return false;
    }
  }

  /** Aborts the job, and puts it back without counting the attempt. @returns false if it could not be stored */
  async function handBack(work: Work, handler: JobHandler): Promise<boolean> {
    const { job, abort } = work;
    abort.abort(new Error("The queue stops."));
    try {
      await db.transaction().execute(async (trx) => {
        await forgetDeaths(trx, job.id);
        await release(trx, work, { state: "queued", attempts: job.attempt - 1 });
        await handler.putBack(trx, job, "stopped");
      });
      return true;
    } catch (error) {
      // LeaseLost: the job finished at the last moment. Other jobs are found at the next start.
      if (!(error instanceof LeaseLost)) log("job could not be handed back", { job: job.id, run: job.runId, err: error });
      return false;
    }
  }

  function waitAfter(failures: number): number {
    return Math.min(retryMs * 2 ** (failures - 1), LONGEST_WAIT_MS);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
