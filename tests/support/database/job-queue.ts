import { onTestFinished, vi } from "vitest";
import type { Db } from "db/schema";
import type { Commit, JobHandler, Queue } from "~/platform/jobs/queue";
import { createDatabaseQueue, type DatabaseQueueOptions } from "~/platform/jobs/database-queue.server";
import { minutes } from "../patience";

/** Worker on another machine. */
export const OTHER_HOST = { host: "elsewhere", pid: 1, start: "a" };

/** Queue of the current test; stopped with the test. */
export function createQueue(db: Db, options: Partial<DatabaseQueueOptions> = {}): Queue {
  // No polling, so that only actions of the test have an effect.
  const queue = createDatabaseQueue({ db, pollMs: 3_600_000, retryMs: 1, ...options });
  onTestFinished(() => queue.stop({ graceMs: 0 }));
  return queue;
}

/** Counts in `run.pages` how often a run's result was stored: a rollback of the transaction also undoes the count. */
export const storeOnce =
  (runId: string): Commit =>
  async (trx) => {
    await trx
      .updateTable("run")
      .set((eb) => ({ pages: eb("pages", "+", 1) }))
      .where("id", "=", runId)
      .execute();
  };

/** Handler of a worker's jobs: by default, it stores the result of each run. */
export function handler(overrides: Partial<JobHandler> = {}): JobHandler {
  return {
    work: async ({ runId }) => storeOnce(runId),
    putBack: vi.fn(async () => {}),
    giveUp: vi.fn(async () => {}),
    ...overrides,
  };
}

/** Stores runs with these ids, each with its job. */
export async function enqueueRuns(db: Db, queue: Queue, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await db.transaction().execute(async (trx) => {
      await trx.insertInto("run").values(run(id)).execute();
      await queue.enqueue(trx, { runId: id });
    });
  }
}

/** Row of a waiting run. */
export function run(id: string) {
  return {
    id,
    url: "https://shop.example/",
    site: "shop.example",
    scope: "page",
    standard_version: "2.2",
    standard_level: "AA",
    status: "queued",
    created_at: 0,
    expires_at: 1,
  } as const;
}

/** Number of times that the result of each run was stored. */
export const stored = async (db: Db) =>
  Object.fromEntries(
    (await db.selectFrom("run").select(["id", "pages"]).orderBy("id").execute()).map(({ id, pages }) => [
      id,
      pages,
    ]),
  );

/** First job. */
export const job = (db: Db) => db.selectFrom("job").selectAll().orderBy("turn").executeTakeFirstOrThrow();
export const state = async (db: Db) => (await job(db)).state;
export const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: minutes(0.25), interval: 10 });

/** Promise that the test resolves. */
export function later<Value = void>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((keep) => (resolve = keep));
  return { promise, resolve };
}
