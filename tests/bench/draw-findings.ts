import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { seeded, shuffled } from "../support/seeded";
import { median } from "./support/figures";

/*
 * Selects findings of our own rules for human review: all violations, and some questions at random. One line of JSON for each;
 * the verdicts are in `detect.md`.
 *
 *   node build/server/scan.js - --json --checks pro --allow-private 127.0.0.1/32 < addresses.txt |
 *     npx tsx tests/bench/draw-findings.ts [--seed 17] [--questions 100]
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

const { values } = parseArgs({ options: { seed: { type: "string", default: "17" }, questions: { type: "string", default: "100" } } });

const pages = (await text(process.stdin))
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
console.error(
  [
    `${checked.length} of ${pages.length} pages checked, ${checked.filter(({ partial }) => partial.length > 0).length} of them with unfinished rules.`,
    `${found("violations").length} violations; ${found("incomplete").length} questions, at the median ${median(checked.map(questionsOf))} on a page.`,
  ].join("\n"),
);
