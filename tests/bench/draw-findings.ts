import { Console } from "node:console";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { seeded, shuffled } from "../support/seeded";
import { openCorpus } from "./support/corpus";
import { conclude, figure, introduce, median } from "./support/figures";
import { readOptions, SMOKE } from "./support/options";
import { runProgram } from "./support/run-program";

/*
 * Selects findings of our own rules for human review: all violations, and some questions at random. One line of JSON for each;
 * the verdicts are in `detect.md`.
 *
 *   node build/server/scan.js - --json --checks pro --allow-private 127.0.0.1/32 < addresses.txt |
 *     npx tsx tests/bench/draw-findings.ts [--seed 17] [--questions 100]
 *
 * In smoke mode it scans its pages itself.
 */
interface Page {
  url: string;
  reason: string | null;
  partial: string[];
  violations: Finding[];
  incomplete: Finding[];
}

interface Finding {
  ruleId: string;
  source: string;
  elementCount: number;
  nodes: { target: string[]; html: string; failureSummary: string }[];
}

const SCAN = fileURLToPath(new URL("../../build/server/scan.js", import.meta.url));
const { values } = readOptions({ values: { seed: "17", questions: "100" } });
/** Standard error: standard output is for the findings. */
const report = new Console(process.stderr);

introduce("Findings of our own rules for review", values, report);
const pages = (SMOKE ? await scanCorpus() : await text(process.stdin))
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Page);
const checked = pages.filter(({ reason }) => reason === null);
const own = (findings: Finding[]) => findings.filter(({ source }) => source === "rampe");
const found = (category: "violations" | "incomplete") =>
  checked.flatMap((page) => own(page[category]).flatMap(({ ruleId, nodes }) => nodes.map((node) => ({ category, ruleId, url: page.url, ...node }))));

const drawn = shuffled(found("incomplete"), seeded(Number(values.seed))).slice(0, Number(values.questions));
for (const [index, finding] of [...found("violations"), ...drawn].entries()) console.log(JSON.stringify({ number: index + 1, ...finding }));

const questionsOf = (page: Page) => own(page.incomplete).reduce((sum, { elementCount }) => sum + elementCount, 0);
conclude(
  [
    figure("pages checked", `${checked.length} of ${pages.length}`),
    figure("pages with unfinished rules", checked.filter(({ partial }) => partial.length > 0).length),
    figure("violations", found("violations").length),
    figure("questions", found("incomplete").length),
    figure("questions on a page, median", median(checked.map(questionsOf))),
  ],
  report,
);

async function scanCorpus(): Promise<string> {
  const corpus = await openCorpus();
  const args = [SCAN, "-", "--json", "--checks", "pro", "--allow-private", `127.0.0.1:${corpus.site.port}`];
  const { out } = await runProgram(args, { input: corpus.pages.map(({ url }) => url).join("\n") });
  await corpus.close();
  return out;
}
