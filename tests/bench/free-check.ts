import { openBareBrowser } from "./support/bare-browser";
import { openCorpus, type CorpusPage } from "./support/corpus";
import {
  below,
  conclude,
  exactly,
  figure,
  introduce,
  median,
  quantile,
  spread,
  type Figure,
} from "./support/figures";
import { readOptions, sized, turns } from "./support/options";
import { isResult, orderCheck, startBenchServer } from "./support/bench-server";

/*
 * Waiting time for a free check: from sending the form to the last byte of the complete result, on a warm
 * server, compared with the bare analysis of the same page in a warm browser page (see support/bare-browser.ts), alternating. Needs a
 * build. Without names, the pages of the folder nearest to 100 KB.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/free-check.ts [--rounds 21] [--system-dns] [name…]
 */
const TARGET = 1.25;
const BYTES = 100_000;
const MOST_PAGES = sized(3, 1);
const WARM_UP = sized(4, 1);

const options = readOptions({ rounds: 21 });
const corpus = await openCorpus(options.names);
const distance = ({ bytes }: CorpusPage) => Math.abs(bytes - BYTES);
const pages = [...corpus.pages].sort((one, other) => distance(one) - distance(other)).slice(0, MOST_PAGES);
introduce("Free check, from the form to the complete result, against the bare analysis", {
  "outside names": options.systemDns
    ? "both ask the machine's name service"
    : "the server asks the machine's name service, the bare browser is told at once that they do not exist",
});
const server = await startBenchServer(corpus.site);
const bare = await openBareBrowser({ parallel: 1, systemDns: options.systemDns });
const figures: Figure[] = [];
for (const page of pages) figures.push(...(await compare(page)));
await bare.close();
await server.stop();
await corpus.close();
conclude(figures);

async function compare({ name, url, bytes }: CorpusPage): Promise<Figure[]> {
  const times = { check: [] as number[], bare: [] as number[] };
  let incomplete = 0;
  const sides = {
    async check() {
      const began = performance.now();
      const result = await fetch(await orderCheck(server, url));
      const complete = isResult(await result.text());
      times.check.push(performance.now() - began);
      if (!complete) incomplete += 1;
    },
    async bare() {
      const { load, inject, run } = await bare.analyse(url);
      times.bare.push(load + inject + run);
      await bare.rest();
    },
  };
  for (let round = -WARM_UP; round < options.rounds; round += 1) {
    if (round === 0) times.check.length = times.bare.length = 0;
    for (const side of turns(Math.abs(round), ["check", "bare"] as const)) await sides[side]();
  }
  const title = `${name} (${Math.round(bytes / 1_000)} KB)`;
  const nineTenths = (values: number[]) => `${spread(values, " ms")}; 9 of 10 within ${Math.round(quantile(values, 0.9))} ms`;
  return [
    figure(`${title}: check`, nineTenths(times.check)),
    figure(`${title}: bare analysis`, nineTenths(times.bare)),
    below(`${title}: check / bare analysis, medians`, median(times.check) / median(times.bare), TARGET),
    exactly(`${title}: answers without a complete result`, incomplete, 0),
  ];
}
