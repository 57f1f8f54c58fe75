import { setTimeout as delay } from "node:timers/promises";
import { storageTrouble } from "~/platform/storage-trouble";
import { conclude, exactly, figure, introduce } from "./support/figures";
import { freshBenchFolder } from "./support/bench-folder";
import { readOptions } from "./support/options";
import { openRuns, startDurableBench, startProcess } from "./support/postgres-processes";
import { WCAG22AA } from "../support/scan/scanner";
import { openSite, pageWith } from "../support/scan/site";

/*
 * A web server and two workers on one PostgreSQL database. Each round kills and restarts a random one of them, and every
 * tenth round PostgreSQL with all of its processes, while pages are requested: every scan ends, once, with its page. Needs a build.
 *
 *   npx tsx tests/bench/kills.ts [--rounds 200]
 */
const ROLES = ["web", "worker", "worker"] as const;
const DATABASE_EVERY = 10;
const ORDER_EVERY_MS = 250;
const LONGEST_LIFE_MS = 2_000;
const LONGEST_OUTAGE_MS = 5_000;
const OVER_WITHIN_MS = 180_000;

const options = readOptions({ rounds: 200 });
introduce(`${options.rounds} kills of a web server, a worker or PostgreSQL, under load`);
const postgres = await startDurableBench();
const site = await openSite({ "/": pageWith("<p>A page.</p>") });
const dataDir = freshBenchFolder();
const start = (role: "web" | "worker") => startProcess(role, { dataDir, site, env: { SCAN_CONCURRENCY: "1" } });
const processes = [await start(ROLES[0])];
for (const role of ROLES.slice(1)) processes.push(await start(role));
const { db, runs, close } = await openRuns(dataDir);

const killing = new AbortController();
/** Requests by owner: each has its own. Those without an answer may be stored or not. */
const answered = new Map<string, string>();
const unanswered = new Set<string>();
const ordering = (async () => {
  for (let number = 1; !killing.signal.aborted; number += 1) {
    const owner = `user ${number}`;
    try {
      const { id } = await runs.start({ url: site.url("/"), scope: "page", standard: WCAG22AA, owner, trial: true });
      answered.set(owner, id);
    } catch (error) {
      if (storageTrouble(error) === null) throw error;
      unanswered.add(owner);
    }
    await delay(ORDER_EVERY_MS);
  }
})();
const kills = { process: 0, database: 0 };
let endedAlone = 0;
for (let kill = 1; kill <= options.rounds; kill += 1) {
  await delay(Math.random() * LONGEST_LIFE_MS);
  if (kill % DATABASE_EVERY === 0) {
    await postgres.kill();
    await delay(Math.random() * LONGEST_OUTAGE_MS);
    await postgres.restart();
    kills.database += 1;
    console.log(`${kill} kills, ${answered.size} scans`);
    continue;
  }
  const which = Math.floor(Math.random() * ROLES.length);
  const victim = processes[which];
  if (!victim?.isRunning()) endedAlone += 1;
  await victim?.kill();
  processes[which] = await start(ROLES[which] ?? "worker");
  kills.process += 1;
}
killing.abort();
await ordering;

const isOver = () => db.selectFrom("run").select("id").where("status", "in", ["queued", "running"]).executeTakeFirst().then((row) => row === undefined);
for (const end = Date.now() + OVER_WITHIN_MS; Date.now() < end && !(await isOver()); ) await delay(500);
const stored = await db.selectFrom("run").select(["id", "owner", "status", "pages"]).execute();
const open = await db.selectFrom("job").select("id").where("state", "in", ["queued", "running"]).execute();
const pages = await db.selectFrom("page").select((eb) => ["run_id", eb.fn.countAll<number>().as("count")]).where("status", "=", "succeeded").groupBy("run_id").execute();
await close();
endedAlone += processes.filter((each) => !each.isRunning()).length;
for (const each of processes) await each.stop();
await site.close();
await postgres.stop();

const present = new Set(stored.map(({ id }) => id));
const onePage = new Set(pages.filter(({ count }) => count === 1).map(({ run_id }) => run_id));
const late = stored.filter(({ owner }) => unanswered.has(owner ?? ""));
const countOf = (wanted: string[]) => stored.filter(({ status }) => wanted.includes(status)).length;
conclude([
  figure("kills of web servers and workers", kills.process),
  figure("kills of PostgreSQL", kills.database),
  figure("requests with an answer", answered.size),
  figure("requests without an answer, and their scans", `${unanswered.size}, ${late.length}`),
  exactly("scans that were lost", [...answered.values()].filter((id) => !present.has(id)).length, 0),
  exactly("requests with several scans", stored.length - new Set(stored.map(({ owner }) => owner)).size, 0),
  exactly("scans that are stuck", countOf(["queued", "running"]), 0),
  exactly("jobs that are stuck", open.length, 0),
  exactly("scans that failed", countOf(["failed", "canceled"]), 0),
  exactly("scans with one page", stored.filter(({ id, pages: sum }) => sum === 1 && onePage.has(id)).length, stored.length),
  exactly("processes that ended without a kill", endedAlone, 0),
]);
