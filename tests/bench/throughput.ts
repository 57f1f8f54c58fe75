import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
} from "./support/figures";
import { readOptions, SMOKE, turns } from "./support/options";
import { installPa11y, type Pa11y } from "./support/pa11y";
import { runProgram } from "./support/run-program";

/*
 * Pages per minute of the command line, compared with pa11y-ci and its axe runner: the same pages, the same browser
 * program, two pages at once, whole commands from start to end. Needs a build.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/throughput.ts [--rounds 2] [--system-dns] [--without] [name…]
 *
 * `--without` excludes the page on which plain axe-core takes over a minute.
 */
const TARGET = 3;
const SCAN = fileURLToPath(new URL("../../build/server/scan.js", import.meta.url));

interface Outcome {
  /** Pages answered with the reason why they could not be checked. */
  failed: string[];
  /** Pages without an answer. */
  lost: string[];
  /** Pages on which rules ran out of time. */
  partial: string[];
}
type Side = "ours" | "pa11y-ci";

if (!existsSync(SCAN)) throw new Error("This needs the built command line: npm run build makes it.");
const options = readOptions({ rounds: 2, flags: ["without"] });
// No download in smoke mode: there, our own command takes its place.
const peer: Pa11y = SMOKE ? { versions: { "pa11y-ci": "replaced by our own command" }, run: ours } : installPa11y(options);
const corpus = await openCorpus(options.names);
const urls = corpus.pages
  .filter(({ name }) => name !== WORST_PAGE || !options.flags.has("without"))
  .map(({ url }) => url);
introduce(`Whole commands over ${urls.length} pages, two at once`, {
  ...peer.versions,
  "outside names": options.systemDns
    ? "both ask the machine's name service"
    : "ours asks the machine's name service, pa11y-ci is told at once that they do not exist",
});

const times: Record<Side, number[]> = { ours: [], "pa11y-ci": [] };
const cpuTimes: Record<Side, number[]> = { ours: [], "pa11y-ci": [] };
const last: Partial<Record<Side, Outcome>> = {};
for (let count = 0; count < options.rounds; count += 1) {
  for (const side of turns<Side>(count, ["ours", "pa11y-ci"])) {
    const { result, ms, cpuMs, said } = await measure(side === "ours" ? ours : theirs);
    times[side].push(ms);
    cpuTimes[side].push(cpuMs);
    last[side] = result;
    console.log(`${side}: ${said}, ${round(perMinute(urls.length, ms))} pages/min`);
    for (const [what, pages] of Object.entries(result) as [string, string[]][])
      if (pages.length > 0) console.log(`  ${what}: ${pages.join(", ")}`);
  }
}
await corpus.close();

conclude([
  ...(["ours", "pa11y-ci"] as const).map((side) =>
    figure(`${side}, pages/min`, spread(times[side].map((ms) => perMinute(urls.length, ms)))),
  ),
  figure("pages that pa11y-ci did not check", (last["pa11y-ci"]?.failed.length ?? 0) + (last["pa11y-ci"]?.lost.length ?? 0)),
  figure("CPU time, pa11y-ci / ours", round(median(cpuTimes["pa11y-ci"]) / median(cpuTimes.ours))),
  fasterBy("ours / pa11y-ci", { ours: times.ours, other: times["pa11y-ci"] }, TARGET),
  exactly("pages that we lost", last.ours?.lost.length ?? NaN, 0),
  exactly("pages that we did not check", last.ours?.failed.length ?? NaN, 0),
  exactly("pages on which rules of ours ran out of time", last.ours?.partial.length ?? NaN, 0),
]);

/** Program of `npm run scan`. */
async function ours(): Promise<Outcome> {
  const args = [SCAN, "-", "--json", "--checks", "axe", "--concurrency", "2", "--allow-private", `127.0.0.1:${corpus.site.port}`];
  const { out, err } = await runProgram(args, { input: urls.join("\n") });
  if (err) console.log(err.trim());
  const lines = out.split("\n").filter(Boolean);
  const pages = lines.map((line) => JSON.parse(line) as { url: string; reason: string | null; partial: string[] });
  const answered = pages.map(({ url }) => url);
  const nameOf = (url: string) => new URL(url).pathname;
  return {
    // Exactly one answer for each page.
    lost: urls.filter((url) => answered.filter((each) => each === url).length !== 1).map(nameOf),
    failed: pages.flatMap(({ url, reason }) => (reason ? [`${nameOf(url)} (${reason})`] : [])),
    partial: pages.flatMap(({ url, partial }) => (partial.length > 0 ? [`${nameOf(url)} (${partial.join(" ")})`] : [])),
  };
}

async function theirs(): Promise<Outcome> {
  return { ...(await peer.run(urls)), partial: [] };
}
