// A server without its web and its browser: works off the runs in the database named on the command line until killed.
import { setTimeout as delay } from "node:timers/promises";
import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";
import { createRuns } from "~/models/run.server";
import { scanRun } from "~/queue/scan-run.server";
import { createSqliteQueue } from "~/queue/sqlite-queue.server";
import { checkedPage, fakeScanner } from "./page-results";

const [, , file = "", checkMs = "0"] = process.argv;
const db = openSqlite(file);
await migrate(db);
const queue = createSqliteQueue({ db });
const scanner = fakeScanner(async ({ url }) => {
  await delay(Number(checkMs));
  return checkedPage({ url });
});
const handler = scanRun({ runs: createRuns({ db, queue, retentionDays: 1 }), scanner });
await queue.work(handler, { concurrency: scanner.concurrency });
process.stdout.write("ready\n");
