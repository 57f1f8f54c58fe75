import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openCorpus, WORST_PAGE } from "./support/corpus";
import { conclude, exactly, fasterBy, figure, introduce, measure, median, perMinute, round, spread } from "./support/figures";
import { readOptions, turns } from "./support/options";
import { runProgram } from "./support/run-program";

/*
 * Pages per minute of the command line against those of an earlier build of it: the same pages, the same browser program, two
 * pages at once, whole commands from start to end. Without the worst page, whose time hides that of the others.
 *
 *   BEFORE=path/to/earlier/build/server/scan.js CORPUS_DIR=folder/of/html npx tsx tests/bench/before.ts [--rounds 2] [name…]
 */
const TARGET = 0.97;
const PROGRAMS = {
  now: fileURLToPath(new URL("../../build/server/scan.js", import.meta.url)),
  before: process.env["BEFORE"] ?? "",
};
type Side = keyof typeof PROGRAMS;

for (const program of Object.values(PROGRAMS)) {
  if (!existsSync(program)) throw new Error("This needs the built command line (npm run build), and BEFORE, an earlier one.");
}
const options = readOptions({ rounds: 2 });
const corpus = await openCorpus(options.names);
const urls = corpus.pages.filter(({ name }) => name !== WORST_PAGE).map(({ url }) => url);
introduce(`Whole commands over ${urls.length} pages, two at once`);

const times: Record<Side, number[]> = { now: [], before: [] };
const cpuTimes: Record<Side, number[]> = { now: [], before: [] };
let failed = 0;
for (let count = 0; count < options.rounds; count += 1) {
  for (const side of turns<Side>(count, ["now", "before"])) {
    const { result, ms, cpuMs, said } = await measure(() => check(PROGRAMS[side]));
    times[side].push(ms);
    cpuTimes[side].push(cpuMs);
    if (side === "now") failed = result;
    console.log(`${side}: ${said}, ${round(perMinute(urls.length, ms))} pages/min`);
  }
}
await corpus.close();

conclude([
  ...(["now", "before"] as const).map((side) => figure(`${side}, pages/min`, spread(times[side].map((ms) => perMinute(urls.length, ms))))),
  figure("CPU time, before / now", round(median(cpuTimes.before) / median(cpuTimes.now))),
  fasterBy("now / before", { ours: times.now, other: times.before }, TARGET),
  exactly("pages that were not checked now", failed, 0),
]);

/** @returns how many pages were not checked */
async function check(program: string): Promise<number> {
  const args = [program, "-", "--json", "--concurrency", "2", "--allow-private", `127.0.0.1:${corpus.site.port}`];
  // An earlier build may know axe-core's rules alone, and no such option.
  if (program === PROGRAMS.now) args.push("--checks", "axe");
  const { out } = await runProgram(args, { input: urls.join("\n") });
  const pages = out.split("\n").filter(Boolean).map((line) => JSON.parse(line) as { reason: string | null });
  return urls.length - pages.filter(({ reason }) => reason === null).length;
}
