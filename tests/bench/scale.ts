import { setTimeout as delay } from "node:timers/promises";
import { cpuNow } from "./support/cpu-clock";
import { atLeast, below, conclude, figure, introduce, median, perMinute, quantile, round, spread } from "./support/figures";
import { readOptions, sized, turns } from "./support/options";
import { addressOf, openRuns, startEmptyWorker, startPostgresBench, startProcess } from "./support/postgres-processes";
import { freshBenchFolder } from "./support/bench-folder";
import { openSite, pageWith } from "../support/scan/site";
import { WCAG22AA } from "../support/scan/scanner";

/*
 * Several processes on one PostgreSQL database: pages per minute of 1, 2 and 4 workers with four pages in total at once, as scans of
 * one page and as one site, and queue performance with empty jobs in 8 processes; with `--jobs` the queue alone. Needs a build.
 *
 *   npx tsx tests/bench/scale.ts [--rounds 2] [--jobs]
 */
const WORKERS = sized([1, 2, 4], [1, 2]);
const PAGES_AT_ONCE = 4;
const PAGES = sized(120, 4);
const SPLITTING_TARGET = 0.95;

const EMPTY_WORKERS = sized(8, 2);
const JOBS = sized(3_000, 40);
const JOBS_TARGET = 500;
const P99_TARGET_MS = 250;
/** Load for the latency, far below the throughput. */
const STEADY_JOBS = sized(400, 10);
const STEADY_EVERY_MS = 25;

const options = readOptions({ rounds: 2, flags: ["jobs"] });
const withPages = !options.flags.has("jobs");
introduce(`${PAGES} pages and one site of ${PAGES} pages by 1, 2 and 4 workers, and ${JOBS} empty jobs by ${EMPTY_WORKERS} processes, on PostgreSQL`, {
  durability: "fsync, synchronous_commit and full_page_writes are off: a disk that is waited for makes all writes slower",
});
const stopPostgres = await startPostgresBench();
const links = Array.from({ length: PAGES - 1 }, (_, index) => `/page-${index}`);
const site = await openSite({
  "/": pageWith(links.map((path) => `<a href="${path}">Page ${path}</a> `).join("")),
  ...Object.fromEntries(links.map((path) => [path, pageWith("<p>A page.</p>")])),
});

/** What is scanned, and the measured times by the number of workers (ms). */
const kinds = { pages: {} as Record<number, number[]>, "pages of one site": {} as Record<number, number[]> };
type Kind = keyof typeof kinds;
const KINDS = Object.keys(kinds) as Kind[];
for (let count = 0; withPages && count < options.rounds; count += 1) {
  for (const kind of KINDS) {
    for (const workers of turns(count, WORKERS)) {
      const taken = await scan(kind, workers);
      (kinds[kind][workers] ??= []).push(taken);
      console.log(`${workers} workers: ${round(perMinute(PAGES, taken))} ${kind} a minute`);
    }
  }
}
const jobs = await emptyJobs();
await site.close();
await stopPostgres();

const timeOf = (kind: Kind, workers: number) => median(kinds[kind][workers] ?? []);
const figuresOf = (kind: Kind) => [
  ...WORKERS.map((workers) => figure(`${kind} a minute, ${workers} workers`, spread((kinds[kind][workers] ?? []).map((each) => perMinute(PAGES, each))))),
  ...WORKERS.slice(1).map((workers) => atLeast(`${kind}: ${workers} workers / 1`, timeOf(kind, 1) / timeOf(kind, workers), SPLITTING_TARGET)),
];
conclude([
  ...(withPages ? KINDS.flatMap(figuresOf) : []),
  atLeast("empty jobs a second, from the first request to the end of the last", jobs.perSecond, JOBS_TARGET),
  figure("processor time of an empty job, with its request and the database (ms)", round(jobs.cpuMs)),
  below(`p99 from request to end (ms), ${1_000 / STEADY_EVERY_MS} a second`, jobs.p99, P99_TARGET_MS),
  figure("median from request to end (ms)", round(jobs.p50)),
]);

/** @returns time from the first request to the end of the last page (ms) */
async function scan(kind: Kind, workers: number): Promise<number> {
  const dataDir = freshBenchFolder();
  const env = { SCAN_CONCURRENCY: String(PAGES_AT_ONCE / workers) };
  const processes = [];
  for (let count = 0; count < workers; count += 1) processes.push(await startProcess("worker", { dataDir, site, env }));
  const { db, runs, close } = await openRuns(dataDir);
  // Waits for the browsers, which start with the processes.
  for (const { origin } of processes) await fetch(`${origin}/healthz`);
  const begun = performance.now();
  const run = { standard: WCAG22AA, trial: true };
  if (kind === "pages of one site") await runs.start({ ...run, url: site.url("/"), scope: "site", owner: "user" });
  else for (let count = 0; count < PAGES; count += 1) await runs.start({ ...run, url: site.url("/page-0"), scope: "page", owner: `user ${count % 10}` });
  for (;;) {
    const states = await db.selectFrom("run").select("status").where("status", "!=", "succeeded").execute();
    if (states.length === 0) break;
    if (states.some(({ status }) => status === "failed")) throw new Error("A page could not be checked.");
    await delay(50);
  }
  const taken = performance.now() - begun;
  const { checked } = await db.selectFrom("page").select((eb) => eb.fn.countAll<number>().as("checked")).where("status", "=", "succeeded").executeTakeFirstOrThrow();
  if (checked !== PAGES) throw new Error(`${checked} instead of ${PAGES} pages were checked.`);
  await close();
  for (const each of processes) await each.stop();
  return taken;
}

async function emptyJobs(): Promise<{ perSecond: number; cpuMs: number; p99: number; p50: number }> {
  const dataDir = freshBenchFolder();
  const first = await startProcess("worker", { dataDir, site });
  await first.stop();
  const { db, runs, queue, close } = await openRuns(dataDir);
  const { id: runId } = await runs.start({ url: site.url("/"), scope: "page", standard: WCAG22AA, owner: "user" });
  await db.deleteFrom("job").execute();
  const workers = await Promise.all(Array.from({ length: EMPTY_WORKERS }, () => startEmptyWorker(addressOf(dataDir))));
  const add = (party: string) => db.transaction().execute((trx) => queue.enqueue(trx, { runId, party }));
  const times = async () => {
    for (;;) {
      const rows = await db.selectFrom("job").select(["state", "created_at", "finished_at"]).execute();
      if (rows.every(({ state }) => state === "done")) return rows.map(({ created_at: from, finished_at: to }) => ({ from, to: to ?? 0 }));
      await delay(200);
    }
  };

  for (let count = 0; count < STEADY_JOBS; count += 1) {
    void add(`party ${count % 50}`);
    await delay(STEADY_EVERY_MS);
  }
  const latencies = (await times()).map(({ from, to }) => to - from);
  await db.deleteFrom("job").execute();

  const cpuBefore = cpuNow();
  const adders = Array.from({ length: 8 }, async (_, adder) => {
    for (let count = 0; count < JOBS / 8; count += 1) await add(`party ${(adder + count) % 50}`);
  });
  await Promise.all(adders);
  const all = await times();
  const cpuMs = (cpuNow() - cpuBefore) / JOBS;
  const seconds = (Math.max(...all.map(({ to }) => to)) - Math.min(...all.map(({ from }) => from))) / 1_000;
  for (const worker of workers) worker.kill();
  await close();
  return { perSecond: JOBS / seconds, cpuMs, p99: quantile(latencies, 0.99), p50: median(latencies) };
}
