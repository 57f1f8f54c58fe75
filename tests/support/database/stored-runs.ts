import { onTestFinished } from "vitest";
import type { Db } from "db/schema";
import { createFindings } from "~/findings/finding.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createPages } from "~/runs/page.server";
import type { Run } from "~/runs/run";
import { createRuns, type NewRun, type Runs } from "~/runs/run.server";
import type { PageResult } from "~/scan/types";
import { freshDatabase, testBox } from "./database";
import { ENGINES } from "./page-results";

/** Request for a scan of one page without an account. */
export const REQUEST: NewRun = {
  url: "https://shop.example/",
  scope: "page",
  standard: { version: "2.2", level: "AA" },
  owner: null,
};

/** Runs of a fresh database with a queue that has no worker yet; the test sets the time. */
export async function emptyRuns() {
  const db = await freshDatabase();
  const clock = { time: 1_000_000 };
  const now = () => clock.time;
  const queue = createDatabaseQueue({ db, now, pollMs: 5, retryMs: 0 });
  onTestFinished(() => queue.stop({ graceMs: 0 }));
  const runs = createRuns({ db, box: testBox, queues: { page: queue, site: queue }, retentionDays: 365, now });
  return { db, clock, queue, runs, pages: createPages({ db }), findings: createFindings({ db }) };
}

/** Finished run with this result. */
export async function finished(db: Db, runs: Runs, result: PageResult, request: Partial<NewRun> = {}): Promise<Run> {
  const { id } = await runs.start({ ...REQUEST, url: result.url, ...request });
  await runs.begin(id);
  await db.transaction().execute((trx) => runs.finish(trx, id, result, ENGINES));
  return (await runs.find(id, request.owner ?? null)) as Run;
}
