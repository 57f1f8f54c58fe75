import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPublicSite } from "./support/public-site";
import { conclude, introduce, median, type Figure } from "./support/figures";
import { installPackage } from "./support/install-package";
import { readOptions } from "./support/options";
import { runProgram } from "./support/run-program";
import { browserPath } from "../support/scan/scanner";

/*
 * Lighthouse as a phone, with its simulated slow network and processor, on home, /bfsg, the sample report and the result
 * of a check, in German.
 *
 *   npx tsx tests/bench/lighthouse.ts [--rounds 3] [name …]
 */
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];
const PAGES = ["/", "/bfsg", "/sample", "a result"];

interface Answer {
  runtimeError?: { message: string };
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
}

/** Expected failures: results are only for readers with the link, and not for search engines. */
const MEANT = [{ page: "a result", category: "seo", audit: "is-crawlable" }];

const options = readOptions({ rounds: 3 });
// Last version for Node 20.
const installed = installPackage("lighthouse", "12.8.2");
introduce("Lighthouse as a phone", { lighthouse: installed.versionOf("lighthouse") });

const folder = mkdtempSync(join(tmpdir(), "rampe-bench-"));
const site = await openPublicSite();
const answers = new Map<string, Answer[]>();
try {
  const wanted = PAGES.filter((name) => options.names.length === 0 || options.names.includes(name));
  for (let round = 0; round < options.rounds; round += 1)
    for (const name of wanted) answers.set(name, [...(answers.get(name) ?? []), await visit(name)]);
} finally {
  await site.stop();
  rmSync(folder, { recursive: true });
}
conclude([...answers].flatMap(([name, all]) => CATEGORIES.map((category) => judge(name, category, all))));

async function visit(name: string): Promise<Answer> {
  const path = site.views.find((view) => view.name === name)?.path ?? name;
  const file = join(folder, "answer.json");
  const { code, err } = await runProgram(
    [
      installed.file("lighthouse", "cli", "index.js"),
      `${site.origin}${path}`,
      ...["--quiet", "--output=json", `--output-path=${file}`, "--form-factor=mobile"],
      `--only-categories=${CATEGORIES.join(",")}`,
      `--extra-headers=${JSON.stringify({ "Accept-Language": "de" })}`,
      `--chrome-flags=--headless${process.getuid?.() === 0 ? " --no-sandbox" : ""}`,
    ],
    { env: { CHROME_PATH: browserPath() } },
  );
  if (code !== 0) throw new Error(`Lighthouse failed: ${err}`);
  const answer = JSON.parse(readFileSync(file, "utf8")) as Answer;
  if (answer.runtimeError) throw new Error(answer.runtimeError.message);
  console.log(`${name}: ${CATEGORIES.map((category) => `${category} ${scoreOf(answer, category)}`).join(", ")}`);
  return answer;
}

function judge(name: string, category: Category, all: Answer[]): Figure {
  const scores = all.map((answer) => scoreOf(answer, category));
  const failing = new Set(all.flatMap((answer) => failingOf(answer, category)));
  for (const audit of failing) console.log(`costs points: ${name}, ${category}: ${audit}`);
  const isMeant = (audit: string) => MEANT.some((each) => each.page === name && each.category === category && audit.startsWith(`${each.audit}:`));
  const best = Math.max(...scores);
  return {
    what: `${name}, ${category}`,
    measured: `${median(scores)} (best ${best}, n = ${scores.length})`,
    target: [...failing].some(isMeant) ? "all but what is meant" : "100",
    met: best === 100 || (failing.size > 0 && [...failing].every(isMeant)),
  };
}

/** Score from 0 to 100. */
function scoreOf({ categories }: Answer, category: Category): number {
  return Math.round((categories[category].score ?? 0) * 100);
}

/** Audits with a score below the maximum. */
function failingOf({ categories, audits }: Answer, category: Category): string[] {
  return categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title} ${audits[id]?.displayValue ?? ""}`.trim());
}
