import { setTimeout as delay } from "node:timers/promises";
import { conclude, exactly, figure, introduce } from "./support/figures";
import { freshBenchFolder } from "./support/bench-folder";
import { readOptions } from "./support/options";
import { openRuns, startPostgresBench, startProcess } from "./support/postgres-processes";
import { WCAG22AA } from "../support/scan/scanner";
import { openSite, pageWith } from "../support/scan/site";

/*
 * A web server and two workers on one PostgreSQL database. Each round kills and restarts a random one of them, while
 * pages are requested: every scan ends, once, with its page. Needs a build.
 *
 *   npx tsx tests/bench/kills.ts [--rounds 200]
 */
const ROLES = ["web", "worker", "worker"] as const;
const ORDER_EVERY_MS = 250;
const LONGEST_LIFE_MS = 2_000;
const OVER_WITHIN_MS = 180_000;

const options = readOptions({ rounds: 200 });
introduce(`${options.rounds} kills of a web server or a worker, under load`);
const stopPostgres = await startPostgresBench();
const site = await openSite({ "/": pageWith("<p>A page.</p>") });
const dataDir = freshBenchFolder();
const start = (role: "web" | "worker") => startProcess(role, { dataDir, site, env: { SCAN_CONCURRENCY: "1" } });
const processes = [await start(ROLES[0])];
for (const role of ROLES.slice(1)) processes.push(await start(role));
const { db, runs, close } = await openRuns(dataDir);

const killing = new AbortController();
const ordered: string[] = [];
const ordering = (async () => {
  while (!killing.signal.aborted) {
    const run = await runs.start({ url: site.url("/"), scope: "page", standard: WCAG22AA, owner: `user ${ordered.length}`, trial: true });
    ordered.push(run.id);
    await delay(ORDER_EVERY_MS);
  }
})();
for (let kill = 1; kill <= options.rounds; kill += 1) {
  await delay(Math.random() * LONGEST_LIFE_MS);
  const which = Math.floor(Math.random() * ROLES.length);
  await processes[which]?.kill();
  processes[which] = await start(ROLES[which] ?? "worker");
  if (kill % 10 === 0) console.log(`${kill} kills, ${ordered.length} scans`);
}
killing.abort();
await ordering;

const isOver = () => db.selectFrom("run").select("id").where("status", "in", ["queued", "running"]).executeTakeFirst().then((row) => row === undefined);
for (const end = Date.now() + OVER_WITHIN_MS; Date.now() < end && !(await isOver()); ) await delay(500);
const states = await db.selectFrom("run").select((eb) => ["status", eb.fn.countAll<number>().as("count")]).groupBy("status").execute();
const countOf = (wanted: string[]) => states.filter(({ status }) => wanted.includes(status)).reduce((total, { count }) => total + count, 0);
const pages = await db.selectFrom("page").select((eb) => ["run_id", eb.fn.countAll<number>().as("count")]).where("status", "=", "succeeded").groupBy("run_id").execute();
await close();
for (const each of processes) await each.stop();
await site.close();
await stopPostgres();

conclude([
  figure("scans", ordered.length),
  exactly("scans that were lost", ordered.length - countOf(["queued", "running", "succeeded", "failed", "canceled"]), 0),
  exactly("scans that are stuck", countOf(["queued", "running"]), 0),
  exactly("scans that failed", countOf(["failed", "canceled"]), 0),
  exactly("scans with one page", pages.filter(({ count }) => count === 1).length, ordered.length),
]);
