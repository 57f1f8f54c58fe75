import { setTimeout as delay } from "node:timers/promises";
import { figure, conclude, introduce, spread, sum } from "./support/figures";
import { cpuByProcess } from "./support/cpu-by-process";
import { readOptions, sized } from "./support/options";
import { openSite, pageWith } from "../support/scan/site";
import { testScanner, WCAG22AA } from "../support/scan/scanner";

/*
 * Cost of every page without its content: processor time for an almost empty page with a script, by process. Real pages also
 * need time for the rules. Needs no build, and a machine without other Chromium.
 *
 *   npx tsx tests/bench/page-cost.ts [--rounds 4]
 */
const PAGES = sized(24, 2);
const WARM_UP = sized(8, 2);
/** Ended processes are counted by their parent. */
const END_MS = sized(1_200, 100);

const { rounds } = readOptions({ rounds: 4 });
introduce(`Processor time of an almost empty page, ${PAGES} pages a round, two at once`, { rounds });
const site = await openSite({ "/": pageWith(`<main><h1>T</h1><input></main><script>localStorage.x = 1; setTimeout(() => 1, 100)</script>`) });
const scanner = testScanner({ concurrency: 2 });
await scanner.ready();
await check(WARM_UP);
const costs = new Map<string, number[]>();
const clock: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const [before, began] = [cpuByProcess(), performance.now()];
  await check(PAGES);
  clock.push((performance.now() - began) / PAGES);
  await delay(END_MS);
  for (const [kind, ms] of cpuByProcess()) costs.set(kind, [...(costs.get(kind) ?? []), Math.max(0, ms - (before.get(kind) ?? 0)) / PAGES]);
}
await scanner.stop();
await site.close();
const all = Array.from({ length: rounds }, (_, round) => sum([...costs.values()].map((values) => values[round] ?? 0)));
conclude([
  figure("time on the clock, ms a page", spread(clock)),
  figure("processor time, ms a page", spread(all)),
  ...[...costs].map(([kind, values]) => figure(`of that, ${kind}`, spread(values))),
]);

async function check(count: number): Promise<void> {
  let left = count;
  const work = async () => {
    while (left-- > 0) await scanner.check({ url: site.url("/"), standard: WCAG22AA });
  };
  await Promise.all(Array.from({ length: scanner.parallel }, work));
}
