import { isDeepStrictEqual } from "node:util";
import { openComparer, type Comparison, type Outline } from "../support/scan/compare-with-axe";
import { openCorpus } from "./support/corpus";
import { conclude, exactly, figure, introduce, round } from "./support/figures";
import { readOptions } from "./support/options";

/*
 * Comparison of our findings with those of plain axe-core: loads every page of a folder, analyses it both ways and compares rules,
 * impacts and elements.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/corpus.ts [name…]
 *
 * Names limit it to pages that contain one of them. Exits with 1 when a page differs or could not be compared. Needs no build.
 */
const PAGE_MS = 300_000;
const STANDARD = { version: "2.2", level: "AA" } as const;

const corpus = await openCorpus(readOptions().names);
introduce(`Findings of ${corpus.pages.length} pages, against plain axe-core on the same loaded page`);
const comparer = await openComparer();
const counts = { equal: 0, differing: 0, failed: 0, oursMs: 0, axeMs: 0 };

console.log("| page | elements | ours, ms | axe, ms | result |\n| --- | ---: | ---: | ---: | --- |");
for (const { name, url } of corpus.pages) {
  try {
    report(name, await comparer.compare(url, STANDARD, PAGE_MS));
  } catch (error) {
    counts.failed += 1;
    console.log(`| ${name} | | | | failed: ${String(error)} |`);
  }
}
await comparer.close();
await corpus.close();
conclude([
  figure("pages with equal findings", counts.equal),
  exactly("pages with different findings", counts.differing, 0),
  exactly("pages that could not be compared", counts.failed, 0),
  figure("analysis in all, ms: ours, plain axe-core", `${round(counts.oursMs)}, ${round(counts.axeMs)}`),
]);

function report(name: string, { ours, axe, oursMs, axeMs }: Comparison) {
  const same = isDeepStrictEqual(ours, axe);
  counts[same ? "equal" : "differing"] += 1;
  counts.oursMs += oursMs;
  counts.axeMs += axeMs;
  const elements = Object.entries(axe).reduce(
    (sum, [key, lines]) => sum + (/^(viol|inc)/.test(key) ? lines.length : 0),
    0,
  );
  const result = same ? "equal" : differencesOf(ours, axe).join("; ");
  console.log(`| ${name} | ${elements} | ${Math.round(oursMs)} | ${Math.round(axeMs)} | ${result} |`);
}

function differencesOf(ours: Outline, axe: Outline): string[] {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(axe)])];
  return keys.flatMap((key) => {
    const onlyOurs = (ours[key] ?? []).filter((line) => !axe[key]?.includes(line));
    const onlyAxe = (axe[key] ?? []).filter((line) => !ours[key]?.includes(line));
    if (key in ours && key in axe && onlyOurs.length + onlyAxe.length === 0) return [];
    return [
      `${key}: only ours ${JSON.stringify(onlyOurs.slice(0, 3))}, only axe ${JSON.stringify(onlyAxe.slice(0, 3))}`,
    ];
  });
}
