import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openBareBrowser } from "./support/bare-browser";
import {
  below,
  conclude,
  exactly,
  fasterBy,
  figure,
  introduce,
  measure,
  median,
  perMinute,
  round,
  spread,
  type Figure,
} from "./support/figures";
import { readOptions, sized, turns } from "./support/options";
import { runProgram } from "./support/run-program";
import { startBenchServer } from "./support/bench-server";
import { openGeneratedSite, type GeneratedSite } from "./support/generated-site";
import { orderSiteRun, type SiteRunOutcome } from "./support/site-run";
import { watchProgram, type Sample } from "./support/watch";

/*
 * A site of 200 pages from 20 templates, as a whole: by the command line, by a run of the server, and by a run whose server
 * is killed in the middle. Pages per minute against a bare loop over the same pages (see support/bare-browser.ts), memory between
 * the 20th and the last page, and the number of requests for each page. Needs a build.
 *
 *   npx tsx tests/bench/site-200.ts [--rounds 1] [--cli] [--server] [--kill] [pages]
 *
 * Each switch limits it to that part.
 */
const options = readOptions({ rounds: 1, flags: ["cli", "server", "kill"] });
const PAGES = Number(options.names[0] ?? sized(200, 2));
const PARALLEL = 2;
/** Pages in progress: one more is loaded during the analysis (`Scanner.parallel`). */
const IN_FLIGHT = PARALLEL + 1;
const SHARE_OF_BARE_LOOP = 0.9;
const GROWTH_MB = 50;
/** Growth is measured after this page: before, code is compiled and caches are filled. */
const GROWS_AFTER_PAGE = sized(20, 1);
const COLLECT_EVERY_SECONDS = sized(3, 0.1);
const HALF_WITHIN_MS = 600_000;
const SETTINGS = { SCAN_CONCURRENCY: String(PARALLEL), SCAN_MAX_PAGES: String(PAGES) };
const SCAN = fileURLToPath(new URL("../../build/server/scan.js", import.meta.url));

interface Outcome {
  ms: number;
  /** Addresses of completely checked pages. */
  whole: string[];
  growth: Growth;
}

/** Growth in MB, from the 20th page to the last. */
interface Growth {
  memory: number;
  heap: number;
  /** Slope of a straight line through all samples, over the same time. */
  slope: number;
  most: number;
}

const does = (flag: string) => options.flags.size === 0 || options.flags.has(flag);
introduce(`A site of ${PAGES} pages, ${PARALLEL} at once`);
const figures: Figure[] = [];
if (does("cli") || does("server")) figures.push(...(await compareSpeed()));
if (does("kill")) figures.push(...(await killInTheMiddle()));
conclude(figures);

async function compareSpeed(): Promise<Figure[]> {
  const site = await openGeneratedSite(PAGES);
  const bare = await openBareBrowser({ parallel: PARALLEL, systemDns: options.systemDns });
  const bareMs: number[] = [];
  const sides = {
    ...(does("cli") ? { "command line": byCommand } : {}),
    ...(does("server") ? { "server run": byServer } : {}),
  };
  const outcomes = new Map<string, Outcome[]>(Object.keys(sides).map((name) => [name, []]));
  const loop = async () => {
    const { ms, said } = await measure(() => bare.loop(site.urls));
    await bare.rest();
    bareMs.push(ms);
    console.log(`bare loop: ${said}`);
  };
  for (let count = 0; count < options.rounds; count += 1) {
    await loop();
    for (const [name, side] of turns(count, Object.entries(sides))) {
      site.visits.length = 0;
      const { result, said } = await measure(() => side(site));
      outcomes.get(name)?.push(result);
      const { memory, heap, slope, most } = result.growth;
      console.log(
        `${name}: ${said}, ${result.whole.length} pages in full, ` +
          `${site.visits.length} requests for pages; memory ${round(memory)} MB (slope ${round(slope)} MB, heap ` +
          `${round(heap)} MB, at most ${round(most)} MB in all)`,
      );
    }
    await loop();
  }
  await bare.close();
  await site.close();

  const rates = (times: number[]) => times.map((ms) => perMinute(PAGES, ms));
  return [
    figure("bare loop, pages/min", spread(rates(bareMs))),
    ...[...outcomes].flatMap(([name, all]) => [
      figure(`${name}, pages/min`, spread(rates(all.map(({ ms }) => ms)))),
      fasterBy(`${name} / bare loop`, { ours: all.map(({ ms }) => ms), other: bareMs }, SHARE_OF_BARE_LOOP),
      exactly(`${name}: pages checked in full`, Math.min(...all.map(({ whole }) => whole.length)), PAGES),
      below(`${name}: MB of memory more after the last page`, Math.max(...all.map(({ growth }) => growth.memory)), GROWTH_MB),
    ]),
  ];
}

async function byCommand(site: GeneratedSite): Promise<Outcome> {
  const watch = watchProgram({ collectEvery: COLLECT_EVERY_SECONDS });
  const { port } = site.site;
  const args = ["--site", "--json", "--checks", "axe", "--concurrency", String(PARALLEL), "--max-pages", String(PAGES)];
  const { result, ms } = await measure(() =>
    runProgram([SCAN, site.site.url("/"), ...args, "--allow-private", `127.0.0.1:${port}`], { env: watch.env }),
  );
  const growth = growthOf(watch.samples(), site);
  watch.close();
  if (!result.out) throw new Error(`the command line gave no result: ${result.err}`);
  const { pages } = JSON.parse(result.out) as { pages: { url: string; status: string; partial: string[] }[] };
  const whole = pages.filter(({ status, partial }) => status === "succeeded" && partial.length === 0);
  return { ms, whole: [...new Set(whole.map(({ url }) => url))], growth };
}

async function byServer(site: GeneratedSite): Promise<Outcome> {
  return withDataDir(async (dataDir) => {
    const watch = watchProgram({ collectEvery: COLLECT_EVERY_SECONDS });
    const run = await orderSiteRun(dataDir, site.site.url("/"));
    const server = await startBenchServer(site.site, { ...SETTINGS, ...watch.env }, dataDir);
    const { ms, whole } = await run.over();
    const growth = growthOf(watch.samples(), site);
    await server.stop();
    watch.close();
    return { ms, whole, growth };
  });
}

async function killInTheMiddle(): Promise<Figure[]> {
  const site = await openGeneratedSite(PAGES);
  const outcome = await withDataDir(async (dataDir): Promise<SiteRunOutcome> => {
    const run = await orderSiteRun(dataDir, site.site.url("/"));
    const first = await startBenchServer(site.site, SETTINGS, dataDir);
    for (const end = Date.now() + HALF_WITHIN_MS; site.visits.length < PAGES / 2; await delay(20))
      if (Date.now() > end) throw new Error(`only ${site.visits.length} pages were visited in time`);
    await first.kill();
    const second = await startBenchServer(site.site, SETTINGS, dataDir);
    const result = await run.over();
    await second.stop();
    return result;
  });
  await site.close();

  const counts = new Map<string, number>();
  for (const { url } of site.visits) counts.set(url, (counts.get(url) ?? 0) + 1);
  const again = [...counts].filter(([, count]) => count > 1).map(([url, count]) => `${new URL(url).pathname} ×${count}`);
  if (again.length > 0) console.log(`asked for more than once: ${again.join(", ")}`);
  return [
    exactly("killed in the middle: pages checked in full", outcome.whole.length, PAGES),
    exactly("killed in the middle: pages stored", outcome.pages, PAGES),
    below("killed in the middle: requests for pages more than needed", site.visits.length - PAGES, IN_FLIGHT + 1),
  ];
}

async function withDataDir<Result>(work: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-bench-"));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Compares samples after a garbage collection, around the 20th page and at the end. */
function growthOf(samples: Sample[], { visits }: GeneratedSite): Growth {
  const [from, to] = [visits[GROWS_AFTER_PAGE - 1]?.at ?? NaN, visits.at(-1)?.at ?? NaN];
  const between = samples.filter(({ at, collected }) => collected && at >= from && at <= to + COLLECT_EVERY_SECONDS * 1_000);
  const few = Math.max(1, Math.floor(between.length / 5));
  const grown = (of: (sample: Sample) => number) => {
    const values = between.map((sample) => of(sample) / 1e6);
    return median(values.slice(-few)) - median(values.slice(0, few));
  };
  return {
    memory: grown(({ rss }) => rss),
    heap: grown(({ heapUsed }) => heapUsed),
    slope: slopeOf(between.map(({ at, rss }) => [at, rss / 1e6])) * (to - from),
    most: Math.max(...samples.map(({ rss }) => rss)) / 1e6,
  };
}

/** Slope of the line nearest to all points (least squares). */
function slopeOf(points: [x: number, y: number][]): number {
  const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const up = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)));
  return up / mean(points.map(([x]) => (x - meanX) ** 2));
}
