import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openCorpus, WORST_PAGE } from "./support/corpus";
import { conclude, exactly, fasterBy, figure, introduce, measure, median, perMinute, round, spread } from "./support/figures";
import { readOptions, turns } from "./support/options";
import { runProgram } from "./support/run-program";

/*
 * Time of a free check with our own rules against that of axe-core's rules alone: the same pages, two at once, whole commands from
 * start to end. Without the worst page, whose time hides that of the others.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/checks.ts [--rounds 3] [name…]
 */
/** Speed of the free check, where axe-core alone is 1: at most 1.3 times its time. */
const TARGET = Math.floor(1000 / 1.3) / 1000;
const PROGRAM = fileURLToPath(new URL("../../build/server/scan.js", import.meta.url));
type Side = "axe" | "free";

if (!existsSync(PROGRAM)) throw new Error("This needs the built command line (npm run build).");
const options = readOptions({ rounds: 3 });
const corpus = await openCorpus(options.names);
const urls = corpus.pages.filter(({ name }) => name !== WORST_PAGE).map(({ url }) => url);
introduce(`Whole commands over ${urls.length} pages, two at once`);

const times: Record<Side, number[]> = { axe: [], free: [] };
const cpuTimes: Record<Side, number[]> = { axe: [], free: [] };
let failed = 0;
for (let count = 0; count < options.rounds; count += 1) {
  for (const side of turns<Side>(count, ["axe", "free"])) {
    const { result, ms, cpuMs, said } = await measure(() => check(side));
    times[side].push(ms);
    cpuTimes[side].push(cpuMs);
    if (side === "free") failed = result;
    console.log(`${side}: ${said}, ${round(perMinute(urls.length, ms))} pages/min`);
  }
}
await corpus.close();

conclude([
  ...(["axe", "free"] as const).map((side) => figure(`${side}, pages/min`, spread(times[side].map((ms) => perMinute(urls.length, ms))))),
  figure("CPU time, free / axe", round(median(cpuTimes.free) / median(cpuTimes.axe))),
  fasterBy("pages/min, free / axe", { ours: times.free, other: times.axe }, TARGET),
  exactly("pages that were not checked", failed, 0),
]);

/** @returns how many pages were not checked */
async function check(side: Side): Promise<number> {
  const args = [PROGRAM, "-", "--json", "--concurrency", "2", "--allow-private", `127.0.0.1:${corpus.site.port}`, "--checks", side];
  const { out } = await runProgram(args, { input: urls.join("\n") });
  const pages = out.split("\n").filter(Boolean).map((line) => JSON.parse(line) as { reason: string | null });
  return urls.length - pages.filter(({ reason }) => reason === null).length;
}
