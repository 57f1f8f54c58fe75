import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "db/schema";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createRuns } from "~/runs/run.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { WCAG22AA } from "../../support/scan/scanner";
import { newDatabase, withDatabase } from "../../support/database/server-database";

/** Run of a whole site in the database of a server. */
export interface SiteRun {
  /** Waits for the end of the run. @throws if it takes too long */
  over(): Promise<SiteRunOutcome>;
}

export interface SiteRunOutcome {
  status: string;
  /** Duration since its last start. */
  ms: number;
  /** Completely checked and stored pages: each address once. */
  whole: string[];
  /** Number of stored pages. */
  pages: number;
}

const OVER_WITHIN_MS = 900_000;

/** Requests the run of a site, like a route, in a data folder that no server uses yet. */
export async function orderSiteRun(dataDir: string, url: string): Promise<SiteRun> {
  const db = await newDatabase({ dataDir });
  const queues = { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db, name: "site" }) };
  const runs = createRuns({ db, box: createSecretBox(["a secret of the benchmarks"]), queues, retentionDays: 1 });
  // A trial, without the advanced analyses: a bare loop has nothing like them.
  const { id } = await runs.start({ url, scope: "site", standard: WCAG22AA, owner: "bench", trial: true });
  await db.destroy();
  const find = (db: Db) => db.selectFrom("run").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  return {
    async over() {
      for (const end = Date.now() + OVER_WITHIN_MS; Date.now() < end; await delay(1_000)) {
        const { status, started_at, finished_at } = await withDatabase({ dataDir }, find);
        if (status === "queued" || status === "running") continue;
        const pages = await withDatabase({ dataDir }, (db) => db.selectFrom("page").selectAll().where("run_id", "=", id).execute());
        const whole = pages.filter((page) => page.status === "succeeded" && !isPartial(page.partial));
        return {
          status,
          ms: (finished_at ?? 0) - (started_at ?? 0),
          pages: pages.length,
          whole: [...new Set(whole.map((page) => page.url))],
        };
      }
      throw new Error("the run of the site did not end in time");
    },
  };
}

/** Whether rules ran out of time; they are stored as a JSON list. */
const isPartial = (partial: string | null) => (JSON.parse(partial ?? "[]") as string[]).length > 0;
