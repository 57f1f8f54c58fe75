import { sql } from "kysely";
import { prepared } from "db/prepared";
import type { Db, Trx } from "db/schema";

export interface TurnsOptions {
  db: Db;
  /** Name of the queue. */
  name: string;
  /** Number of turns of a party for each turn of a party of weight 1. */
  weightOf: (party: string) => number;
  /** True if other processes also take jobs. */
  isShared?: boolean;
}

export type Turns = ReturnType<typeof createTurns>;

/** Order of the jobs in a queue, and their positions. */
export function createTurns({ db, name, weightOf, isShared = false }: TurnsOptions) {
  /** Highest turn taken until now: new parties start there. */
  let reached: number | undefined;

  return { next, last, take, suspects, position, isHeldBack, waiting };

  /**
   * Turn of a new job, by fair queueing with finish tags: one step (by the party's weight) after the party's last job, or after
   * the highest turn taken. Jobs that may have killed a process do not count: they are at the end of the queue.
   */
  async function next(trx: Trx, party: string): Promise<number> {
    const highestOf = (jobs: ReturnType<typeof jobsIn>) => jobs.select((eb) => eb.fn.max("turn").as("turn"));
    const innocent = (state: "queued" | "running") => highestOf(jobsIn(trx, state).where("party", "=", party).where("deaths", "=", 0));
    // Single statement, because all other writers wait for this transaction.
    const { ownQueued, ownRunning, running, firstQueued } = await prepared(trx)
      .selectNoFrom([
        innocent("queued").as("ownQueued"),
        innocent("running").as("ownRunning"),
        highestOf(jobsIn(trx, "running")).as("running"),
        jobsIn(trx, "queued").select((eb) => eb.fn.min("turn").as("turn")).as("firstQueued"),
      ])
      .executeTakeFirstOrThrow();
    if (isShared) reached = running || undefined;
    reached ??= firstQueued ?? 0;
    return Math.max(reached, ownQueued ?? 0, ownRunning ?? 0) + 1 / weightOf(party);
  }

  /** State as a literal: SQLite chooses a partial index before it knows parameters. */
  function jobsIn(on: Db | Trx, state: "queued" | "running") {
    return on.selectFrom("job").where("queue", "=", name).where("state", "=", sql.lit(state));
  }

  async function highest(jobs: ReturnType<typeof jobsIn>): Promise<number> {
    return (await jobs.select((eb) => eb.fn.max("turn").as("turn")).executeTakeFirst())?.turn ?? 0;
  }

  /** Highest turn of all unfinished jobs. */
  async function last(trx: Trx): Promise<number> {
    return Math.max(await highest(jobsIn(trx, "queued")), await highest(jobsIn(trx, "running")));
  }

  /** Records the turn of a started job. */
  function take(turn: number): void {
    reached = Math.max(reached ?? 0, turn);
  }

  /** Number of unfinished jobs with a process crash during their visits, including the job with this id. */
  async function suspects(trx: Trx, id: string): Promise<number> {
    let sum = 1;
    for (const state of ["queued", "running"] as const) {
      const others = jobsIn(trx, state).select((eb) => eb.fn.countAll<number>().as("count")).where("deaths", ">", 0).where("id", "!=", id);
      sum += (await others.executeTakeFirstOrThrow()).count;
    }
    return sum;
  }

  async function position(runId: string): Promise<number | null> {
    const { rows } = await sql<{ place: number }>`
      select count(*) as place
      from job as mine
      join job as ahead on ahead.queue = mine.queue and ahead.state = 'queued'
        and (ahead.turn, ahead.rowid) <= (mine.turn, mine.rowid)
      where mine.run_id = ${runId} and mine.queue = ${name} and mine.state = 'queued'`.execute(db);
    return rows[0]?.place || null;
  }

  async function isHeldBack(runId: string): Promise<boolean> {
    const job = await db
      .selectFrom("job")
      .select("id")
      .where("run_id", "=", runId)
      .where("queue", "=", name)
      .where("state", "=", "queued")
      .where("lane", "in", lanesUnderWay(name))
      .executeTakeFirst();
    return job !== undefined;
  }

  async function waiting(trx: Trx, party: string): Promise<number> {
    const { count } = await trx
      .selectFrom("job")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("queue", "=", name)
      .where("state", "=", sql.lit("queued"))
      .where("party", "=", party)
      .executeTakeFirstOrThrow();
    return count;
  }
}

/** Lanes of a queue with a running job. */
export const lanesUnderWay = (queue: string) =>
  sql<string>`(select lane from job where queue = ${queue} and state = 'running' and lane is not null)`;
