import { isDeepStrictEqual } from "node:util";
import { openBareBrowser } from "./support/bare-browser";
import { openCorpus, WORST_PAGE } from "./support/corpus";
import { below, conclude, exactly, figure, introduce, median, round, spread } from "./support/figures";
import { readOptions, sized, turns } from "./support/options";
import { openComparer } from "../support/scan/compare-with-axe";
import { testScanner, WCAG22AA } from "../support/scan/scanner";

/*
 * The page on which plain axe-core takes over a minute, alone: our whole visit, compared with loading the page, injecting
 * axe-core and running it; and whether both have the same findings.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/worst-page.ts [--rounds 1] [--system-dns] [name]
 */
const TARGET = 0.1;
const PAGE_SECONDS = 600;
/** Number of our visits in a round: they are so much shorter. */
const VISITS = sized(3, 1);

const options = readOptions({ rounds: 1 });
const corpus = await openCorpus(options.names.length > 0 ? options.names : [WORST_PAGE]);
const [page] = corpus.pages;
if (!page || corpus.pages.length > 1) throw new Error("This is about a single page.");
introduce(`${page.name}, ${page.bytes} bytes, alone`);

const bare = await openBareBrowser({ parallel: 1, systemDns: options.systemDns });
const scanner = testScanner({ concurrency: 1, pageSeconds: PAGE_SECONDS });
await scanner.ready();
const times = { ours: [] as number[], axe: [] as number[] };
const unchecked: string[] = [];
for (let count = 0; count < options.rounds; count += 1) {
  for (const side of turns(count, [ours, plain])) await side(page.url);
}
await scanner.stop();
await bare.close();

const comparer = await openComparer();
const compared = await comparer.compare(page.url, WCAG22AA, PAGE_SECONDS * 1_000);
const same = isDeepStrictEqual(compared.ours, compared.axe);
await comparer.close();
await corpus.close();
console.log(
  `Analysis alone, of the same loaded page: ours ${round(compared.oursMs)} ms, plain axe-core ${round(compared.axeMs)} ms`,
);

conclude([
  figure("ours, ms", spread(times.ours)),
  figure("plain axe-core, ms", spread(times.axe)),
  below("ours / plain axe-core", median(times.ours) / median(times.axe), TARGET),
  exactly("visits that were not complete", unchecked.length, 0),
  exactly("findings", same ? "identical" : "different", "identical"),
]);

async function ours(url: string): Promise<void> {
  for (let visit = 0; visit < VISITS; visit += 1) {
    const began = performance.now();
    const result = await scanner.check({ url, standard: WCAG22AA });
    times.ours.push(performance.now() - began);
    const fault = result.status === "failed" ? result.reason : result.partial.join(" ");
    if (fault) unchecked.push(fault);
    console.log(`ours: ${round(times.ours.at(-1) ?? NaN)} ms ${fault}`);
  }
}

async function plain(url: string): Promise<void> {
  const { load, inject, run } = await bare.analyse(url);
  times.axe.push(load + inject + run);
  console.log(`plain axe-core: load ${round(load)} ms, inject ${round(inject)} ms, run ${round(run)} ms`);
  await bare.rest();
}
