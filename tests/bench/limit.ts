import { setTimeout as delay } from "node:timers/promises";
import { openBareBrowser } from "./support/bare-browser";
import { openCorpus, WORST_PAGE } from "./support/corpus";
import {
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
import { testScanner, WCAG22AA } from "../support/scan/scanner";

/*
 * Distance of the scanner from the minimum of work: its pages per minute, compared with a bare loop over the same pages
 * (see support/bare-browser.ts), both in this process, with a warm browser and two pages at once; the scanner loads one more
 * while it analyses two. One page, on which plain axe-core takes over a minute, hides the time of all others: the
 * pages are measured without it first; then, unless `--without` is given, once with it.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/limit.ts [--rounds 3] [--system-dns] [--without] [name…]
 */
const TARGET = 0.9;
const PARALLEL = 2;
/** No time-outs, as in the bare loop. */
const PAGE_SECONDS = 600;
const REST_MS = sized(2_000, 100);

const options = readOptions({ rounds: 3, flags: ["without"] });
const corpus = await openCorpus(options.names);
introduce(`Scanner against a bare loop, ${PARALLEL} pages at once (the scanner loads one more meanwhile), warm browsers`, {
  "outside names": options.systemDns
    ? "both ask the machine's name service"
    : "the scanner asks the machine's name service, the bare loop is told at once that they do not exist",
});
const bare = await openBareBrowser({ parallel: PARALLEL, systemDns: options.systemDns });
const scanner = testScanner({ concurrency: PARALLEL, pageSeconds: PAGE_SECONDS });
await scanner.ready();
const warm = corpus.pages[0]?.url ?? "";
await Promise.all(Array.from({ length: PARALLEL }, () => scanner.check({ url: warm, standard: WCAG22AA })));

const all = corpus.pages.map(({ url }) => url);
const others = corpus.pages.filter(({ name }) => name !== WORST_PAGE).map(({ url }) => url);
const figures = others.length > 0 ? await compare(`without ${WORST_PAGE}`, others, options.rounds) : [];
if (others.length < all.length && !options.flags.has("without")) figures.push(...(await compare("all pages", all, 1)));

await scanner.stop();
await bare.close();
await corpus.close();
conclude(figures);

async function compare(title: string, urls: string[], rounds: number): Promise<Figure[]> {
  console.log(`\n${title}: ${urls.length} pages`);
  const times = { ours: [] as number[], bare: [] as number[] };
  const cpuTimes = { ours: [] as number[], bare: [] as number[] };
  let faults: string[] = [];
  for (let count = 0; count < rounds; count += 1) {
    for (const side of turns(count, ["ours", "bare"] as const)) {
      const { result, ms, cpuMs, said } = await measure(() => (side === "ours" ? ours(urls) : theirs(urls)));
      times[side].push(ms);
      cpuTimes[side].push(cpuMs);
      if (side === "ours") faults = result.faults;
      else await bare.rest();
      // Pause: remaining work of one side must not slow the other one down.
      await delay(REST_MS);
      console.log(`${side}: ${said}; ${result.note}`);
      for (const fault of result.faults) console.log(`  ${fault}`);
    }
  }
  const perMinuteOf = (side: "ours" | "bare") => spread(times[side].map((ms) => perMinute(urls.length, ms)));
  return [
    figure(`${title}: scanner, pages/min`, perMinuteOf("ours")),
    figure(`${title}: bare loop, pages/min`, perMinuteOf("bare")),
    figure(`${title}: CPU time, bare loop / scanner`, round(median(cpuTimes.bare) / median(cpuTimes.ours))),
    fasterBy(`${title}: scanner / bare loop`, { ours: times.ours, other: times.bare }, TARGET),
    exactly(`${title}: pages not checked in full`, faults.length, 0),
  ];
}

async function ours(urls: string[]) {
  const queue = [...urls];
  const faults: string[] = [];
  let spentMs = 0;
  const work = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const result = await scanner.check({ url, standard: WCAG22AA });
      spentMs += result.durationMs;
      const fault = result.status === "failed" ? result.reason : result.partial.join(" ");
      if (fault) faults.push(`${url}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: scanner.parallel }, work));
  return { faults, note: `visits in all ${round(spentMs / 1_000)} s` };
}

async function theirs(urls: string[]) {
  const { load, inject, run, failed } = await bare.loop(urls);
  const seconds = ([name, ms]: [string, number]) => `${name} ${round(ms / 1_000)} s`;
  return {
    faults: failed.map(({ url, why }) => `${url}: ${why}`),
    note: `in all ${Object.entries({ load, inject, run }).map(seconds).join(", ")}`,
  };
}
