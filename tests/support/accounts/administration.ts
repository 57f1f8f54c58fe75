import type { Db } from "db/schema";
import { finishedRun } from "../database/finished-runs";
import { checkedPage } from "../database/page-results";

/** A running scan of a website, a visitor's waiting scan, and a failed scan. */
export async function scansInEveryState(db: Db, owner: string): Promise<Record<"running" | "waiting" | "failed", string>> {
  const at = Date.now();
  const running = await finishedRun(db, [checkedPage({ url: "https://shop.example/" })], { owner, at, status: "running" });
  const waiting = await finishedRun(db, [], { owner, at: at + 1, scope: "page", url: "https://visit.example/", status: "queued" });
  await db.updateTable("run").set({ owner: null, finished_at: null }).where("id", "=", waiting.id).execute();
  const failed = await finishedRun(db, [], { owner, at: at + 2, url: "https://gone.example/", status: "failed" });
  await db.updateTable("run").set({ reason: "dns" }).where("id", "=", failed.id).execute();
  return { running: running.id, waiting: waiting.id, failed: failed.id };
}
