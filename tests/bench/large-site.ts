import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createCrawls } from "~/runs/crawl.server";
import { createRuns } from "~/runs/run.server";
import { scanSite } from "~/runs/scan-job.server";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import type { SiteFetch } from "~/scan/crawl/site-fetch";
import type { PageRequest, PageResult } from "~/scan/types";
import { below, conclude, figure, introduce, median, perMinute, round } from "./support/figures";
import { freshBenchFolder } from "./support/bench-folder";
import { readOptions, sized } from "./support/options";
import { startDurableBench } from "./support/postgres-processes";
import { testBox } from "../support/database/database";
import { checkedPage, element, fakeScanner, finding } from "../support/database/page-results";
import { newDatabase, versionOf } from "../support/database/server-database";
import { WCAG22AA } from "../support/scan/scanner";

/*
 * A site of very many pages: cost of each page besides its check, and memory of the crawl. The pages are made
 * up, and "checked" at once; everything else is real: addresses, queue, and stored data.
 *
 *   npx tsx tests/bench/large-site.ts [--pages 100000] [--postgres]
 */
const PARTS = 10;
/** Links of each page to others of the site, besides those to new pages. */
const MENU = 30;
const CHILDREN = 3;
const SLOWER_TARGET = 1.5;
const MEMORY_TARGET_MB = 300;

const options = readOptions({ values: { pages: sized("100000", "40") }, flags: ["postgres"] });
const PAGES = Number(options.values.pages);
const ORIGIN = "https://large.example";
const addressOf = (index: number) => (index === 0 ? "/" : `/part-${index % 40}/group-${index % 997}/page-${index}`);

introduce(`A made-up site of ${PAGES} pages`);
const server = options.flags.has("postgres") ? await startDurableBench() : undefined;
const db = await newDatabase({ dataDir: freshBenchFolder() });
console.log(await versionOf(db));
const queues = { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db, name: "site" }) };
const runs = createRuns({ db, box: testBox, queues, retentionDays: 1 });

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const parts: { cpuMs: number; heapMb: number }[] = [];
let visited = 0;
let cpu = process.cpuUsage();

async function check({ url, onArrival }: PageRequest): Promise<PageResult> {
  const index = Number(/page-(\d+)$/.exec(url)?.[1] ?? 0);
  const children = Array.from({ length: CHILDREN }, (_, child) => CHILDREN * index + child + 1).filter((child) => child < PAGES);
  const links = [...children, ...Array.from({ length: MENU }, (_, menu) => menu)].map((each) => ORIGIN + addressOf(each));
  onArrival?.({ url, canonical: null, links });
  visited += 1;
  if (visited % Math.floor(PAGES / PARTS) === 0) endPart();
  return checkedPage({ url, finalUrl: url, title: `Page ${index}`, findings: { violations: VIOLATIONS, incomplete: [], passes: PASSES, inapplicable: [] } });
}

function endPart(): void {
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1_000 / (PAGES / PARTS);
  collectGarbage();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  parts.push({ cpuMs, heapMb });
  console.log(`${visited} pages: ${round(cpuMs)} ms each, ${round(heapMb)} MB`);
  cpu = process.cpuUsage();
}

const VIOLATIONS = ["image-alt", "link-name", "color-contrast"].map((rule) => finding(rule, { impact: "serious", elementCount: 2, elements: [element(), element({ target: ["#other"] })] }));
const PASSES = Array.from({ length: 30 }, (_, index) => finding(`passed-${index}`, { elementCount: 5 }));

const nothing: SiteFetch = { get: async (url) => ({ status: 404, headers: {}, url, body: Buffer.alloc(0), cut: false }) };
const handler = scanSite({
  ...{ runs, crawls: createCrawls({ db }), scanner: { ...fakeScanner(check), parallel: 4 }, fetch: nothing },
  ...{ throttles: createHostThrottles(), userAgent: "Rampe/1", maxPages: PAGES },
});
const { id } = await runs.start({ url: `${ORIGIN}/`, scope: "site", standard: WCAG22AA, owner: "user", trial: true });
const ended = new Promise<void>((resolve) => void queues.site.work({ ...handler, settled: () => resolve() }, { concurrency: 1 }));
cpu = process.cpuUsage();
const started = performance.now();
await ended;
const run = await db.selectFrom("run").select(["status", "pages"]).where("id", "=", id).executeTakeFirstOrThrow();
await queues.site.stop({ graceMs: 0 });
await db.destroy();
await server?.stop();

const [first, last] = [parts[0], parts.at(-1)];
conclude([
  figure("status", `${run.status}, ${run.pages} pages`),
  figure("pages a minute", round(perMinute(run.pages, performance.now() - started))),
  figure("CPU time of a page besides its check (ms), median of the tenths", round(median(parts.map(({ cpuMs }) => cpuMs)))),
  below("last tenth / first tenth, CPU time", (last?.cpuMs ?? NaN) / (first?.cpuMs ?? NaN), SLOWER_TARGET),
  below("last tenth - first tenth, memory (MB)", (last?.heapMb ?? NaN) - (first?.heapMb ?? NaN), MEMORY_TARGET_MB),
]);
