import { sql } from "kysely";
import type { Db } from "db/schema";

/** Waiting and running jobs of a queue. */
export interface JobBacklog {
  queue: string;
  waiting: number;
  running: number;
  /** Earliest time at which a waiting job could start, as Unix time in ms; null if none waits. */
  oldest: number | null;
}

/** Condition: no other job runs in the lane. Jobs that wait for another one do not count: more workers would not help them. */
const isFree = sql<boolean>`not exists (select 1 from job as other where other.queue = job.queue and other.lane = job.lane and other.state = 'running')`;

/** Backlog of each queue, without empty queues. */
export async function readJobBacklog(db: Db): Promise<JobBacklog[]> {
  // One query per state, because each state has its own index: there are many finished jobs.
  const [waiting, running] = await Promise.all([
    jobs("queued").select(sql<number | null>`min(case when created_at > run_at then created_at else run_at end) filter (where ${isFree})`.as("oldest")).execute(),
    jobs("running").execute(),
  ]);
  const queues = [...new Set([...waiting, ...running].map(({ queue }) => queue))].sort();
  return queues.map((queue) => {
    const queued = waiting.find((each) => each.queue === queue);
    return {
      queue,
      waiting: queued?.count ?? 0,
      running: running.find((each) => each.queue === queue)?.count ?? 0,
      oldest: queued?.oldest ?? null,
    };
  });

  function jobs(state: "queued" | "running") {
    return db
      .selectFrom("job")
      .select((eb) => ["queue", eb.fn.countAll<number>().as("count")])
      .where("state", "=", sql.lit(state))
      .groupBy("queue");
  }
}
