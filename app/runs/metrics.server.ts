import { sql } from "kysely";
import type { Db } from "db/schema";

/** Waiting and running work. Times are Unix time in ms. */
export interface Backlog {
  /** By queue, without empty queues. `oldest`: earliest time at which a waiting job could start; null if none waits. */
  jobs: { queue: string; waiting: number; running: number; oldest: number | null }[];
  mails: { waiting: number; givenUp: number };
}

/** Jobs of a lane in which one runs are not counted: they wait for that one, and another worker would not help. */
const isFree = sql<boolean>`not exists (select 1 from job as other where other.queue = job.queue and other.lane = job.lane and other.state = 'running')`;

/** Numbers that an operator watches. */
export function createMetrics({ db }: { db: Db }) {
  return {
    async backlog(): Promise<Backlog> {
      // One query per state, because each state has its own index: there are many finished jobs.
      const [waiting, running, waitingMails, givenUp] = await Promise.all([
        jobs("queued").select(sql<number | null>`min(case when created_at > run_at then created_at else run_at end) filter (where ${isFree})`.as("oldest")).execute(),
        jobs("running").execute(),
        mails().where("given_up_at", "is", null).executeTakeFirstOrThrow(),
        mails().where("given_up_at", "is not", null).executeTakeFirstOrThrow(),
      ]);
      const queues = [...new Set([...waiting, ...running].map(({ queue }) => queue))].sort();
      return {
        jobs: queues.map((queue) => {
          const queued = waiting.find((each) => each.queue === queue);
          return {
            queue,
            waiting: queued?.count ?? 0,
            running: running.find((each) => each.queue === queue)?.count ?? 0,
            oldest: queued?.oldest ?? null,
          };
        }),
        mails: { waiting: waitingMails.count, givenUp: givenUp.count },
      };
    },
  };

  function jobs(state: "queued" | "running") {
    return db
      .selectFrom("job")
      .select((eb) => ["queue", eb.fn.countAll<number>().as("count")])
      .where("state", "=", sql.lit(state))
      .groupBy("queue");
  }

  function mails() {
    return db.selectFrom("mail").select((eb) => eb.fn.countAll<number>().as("count"));
  }
}
