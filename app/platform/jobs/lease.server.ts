import type { Selectable, Updateable } from "kysely";
import { prepared } from "db/prepared";
import type { Db, Trx } from "db/schema";
import type { JobTable } from "db/tables/service";
import type { Job } from "./queue";

/** A worker's claim on a running job: only its holder can change the job. */
export interface Lease {
  job: Job;
  leasedBy: string;
  /** End of the lease; if set, the change succeeds only while the lease ends at this time. */
  until?: number | null;
}

/** Error: another worker holds the job now. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** Columns of a job that its worker needs. */
export const JOB_COLUMNS = [
  "id",
  "run_id",
  "payload",
  "party",
  "turn",
  "lane",
  "attempts",
  "max_attempts",
  "deaths",
  "run_at",
  "created_at",
  "heartbeat_at",
  "leased_by",
] as const satisfies (keyof JobTable)[];

export type LeasedJob = Pick<Selectable<JobTable>, (typeof JOB_COLUMNS)[number]>;

const NO_LEASE = { leased_by: null, lease_until: null, heartbeat_at: null };

/** Values of a canceled job. */
export const CANCELED = { state: "done", error: "canceled", ...NO_LEASE } as const;

/** Ends a lease: the only place where a job stops running. Only the lease holder, or the process that takes it back, can do it. */
export function release(trx: Trx, lease: Lease, outcome: Updateable<JobTable>): Promise<void> {
  return change(trx, lease, { ...outcome, visiting: null, ...NO_LEASE });
}

/** @throws {LeaseLost} if another worker holds the lease now, or the lease was renewed */
export async function change(on: Db | Trx, { job, leasedBy, until }: Lease, values: Updateable<JobTable>): Promise<void> {
  const { numUpdatedRows } = await prepared(on)
    .updateTable("job")
    .set(values)
    .where("id", "=", job.id)
    .where("leased_by", "=", leasedBy)
    .$if(until !== undefined, (lease) => lease.where("lease_until", "=", until ?? null))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new LeaseLost();
}

/** Sets the crashes to 1 if a stop interrupts a visit alone: the job has not killed the process, so earlier crashes are chance. */
export async function forgetDeaths(trx: Trx, id: string): Promise<void> {
  await trx.updateTable("job").set({ deaths: 1 }).where("id", "=", id).where("visiting", "=", "alone").execute();
}

/** Number of crashes after one more. With other visits at the same time, any of them may be the cause. */
export function deathsAfter({ deaths, visiting }: Selectable<JobTable>): number {
  if (visiting === null) return deaths;
  return visiting === "alone" ? deaths + 1 : Math.max(deaths, 1);
}

export function toJob(row: LeasedJob): Job {
  return {
    id: row.id,
    runId: row.run_id,
    payload: JSON.parse(row.payload) as unknown,
    attempt: row.attempts,
    party: row.party,
    deaths: row.deaths,
  };
}
