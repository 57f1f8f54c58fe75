import { sql, type Selectable } from "kysely";
import type { Db } from "db/schema";
import type { JobTable } from "db/tables/service";
import type { EventLog } from "~/platform/event-log";
import { deathsAfter, LeaseLost, release, toJob } from "./lease.server";
import type { Job, JobHandler } from "./queue";
import type { Turns } from "./turns.server";

/**
 * Process crashes after which a job is given up: all crashes with other visits count one, each crash alone counts one more.
 * Multiplied by the number of suspected jobs, at most five: if crashes hit several jobs, the cause is probably outside of
 * them. A server that is killed every second hits each of ten jobs ten times.
 */
const MAX_DEATHS = 10;
const MOST_SUSPECTS = 5;

interface RecoveryOptions {
  db: Db;
  /** Name of the queue. */
  name: string;
  turns: Turns;
  /** Called for each job that is no longer running. */
  announce: (job: Job) => void;
  now: () => number;
  log: EventLog;
}

/** Recovery of jobs after the end of their processes. */
export function createRecovery({ db, name, turns, announce, now, log }: RecoveryOptions) {
  return { running, releaseJobs };

  /** Running jobs whose lease is lost. */
  async function running(isLost: (job: Selectable<JobTable>) => boolean): Promise<Selectable<JobTable>[]> {
    const rows = await db
      .selectFrom("job")
      .selectAll()
      .where("queue", "=", name)
      .where("state", "=", sql.lit("running"))
      .orderBy("lease_until")
      .orderBy(sql`rowid`)
      .execute();
    return rows.filter(isLost);
  }

  async function releaseJobs(handler: JobHandler, rows: Selectable<JobTable>[]): Promise<void> {
    for (const row of rows) {
      const job = { ...toJob(row), deaths: deathsAfter(row) };
      const lease = { job, leasedBy: row.leased_by ?? "", until: row.lease_until };
      const died = { attempts: row.attempts - 1, deaths: job.deaths, error: "the process that worked on it ended" };
      log("job taken back", { job: job.id, run: job.runId, deaths: job.deaths });
      try {
        await db.transaction().execute(async (trx) => {
          if (job.deaths >= MAX_DEATHS * Math.min(MOST_SUSPECTS, await turns.suspects(trx, job.id))) {
            await release(trx, lease, { ...died, state: "failed", finished_at: now() });
            await handler.giveUp(trx, job);
          } else {
            // End of the queue for a job that may have caused the crash.
            const turn = job.deaths === 0 ? row.turn : (await turns.last(trx)) + 1;
            await release(trx, lease, { ...died, state: "queued", turn });
            await handler.putBack(trx, job, "died");
          }
        });
      } catch (error) {
        // The worker is still alive, or another worker was faster.
        if (error instanceof LeaseLost) continue;
        throw error;
      }
      announce(job);
    }
  }
}
