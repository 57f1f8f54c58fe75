import { randomBytes } from "node:crypto";
import type { Db, RunTable } from "db/schema";
import { openPage } from "~/models/page.server";
import { addResult, toRun, type Run } from "~/models/run.server";
import type { CrawlFacts } from "~/scan/crawl/store";
import type { PageResult } from "~/scan/types";
import { ENGINE } from "./page-results";

const DAY = 86_400_000;

interface StoredRun {
  owner: string;
  url?: string;
  status?: RunTable["status"];
  crawl?: CrawlFacts;
  createdAt?: number;
  leftOut?: string[];
  maxPages?: number;
}

/** A run of a site that somebody has ordered and that has found these pages. */
export async function storeRun(db: Db, order: StoredRun, results: PageResult[]): Promise<Run> {
  const { owner, url = "https://shop.example/", status = "succeeded", crawl, createdAt = Date.UTC(2026, 10, 21) } = order;
  const id = randomBytes(16).toString("base64url");
  await db
    .insertInto("run")
    .values({
      ...{ id, owner, url, status: "running", scope: "site", created_at: createdAt, started_at: createdAt },
      site: new URL(url).host,
      standard_version: "2.2",
      standard_level: "AA",
      expires_at: Date.now() + DAY,
      max_pages: order.maxPages ?? null,
      left_out: order.leftOut ? JSON.stringify(order.leftOut) : null,
      crawl: crawl ? JSON.stringify(crawl) : null,
    })
    .execute();
  for (const result of results) {
    await db.transaction().execute(async (trx) => {
      await openPage(trx, id, result.url);
      await addResult(trx, id, result, ENGINE);
    });
  }
  const row = await db
    .updateTable("run")
    .set({ status, finished_at: status === "running" ? null : createdAt + 60_000 })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRun(row);
}
