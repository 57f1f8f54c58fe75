import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openComparer, type Comparison, type Outline } from "../support/scan/compare-with-axe";
import { openSite } from "../support/scan/site";

/*
 * Comparison of our findings with those of plain axe-core: loads every page of a folder, analyses it both ways and compares rules,
 * impacts and elements.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/corpus.ts [name…]
 *
 * Names limit it to pages that contain one of them. Exits with 1 when a page differs or could not be compared.
 */
const PAGE_MS = 300_000;
const STANDARD = { version: "2.2", level: "AA" } as const;

const folder = process.env.CORPUS_DIR;
if (!folder) throw new Error("CORPUS_DIR wants a folder of .html files");
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter(
    (name) => name.endsWith(".html") && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
  )
  .sort();

const site = await openSite(
  Object.fromEntries(names.map((name) => [`/${encodeURI(name)}`, page(join(folder, name))])),
);
const comparer = await openComparer();
const counts = { equal: 0, differing: 0, failed: 0, oursMs: 0, axeMs: 0 };

console.log("| page | elements | ours, ms | axe, ms | result |\n| --- | ---: | ---: | ---: | --- |");
for (const name of names) {
  try {
    report(name, await comparer.compare(site.url(`/${encodeURI(name)}`), STANDARD, PAGE_MS));
  } catch (error) {
    counts.failed += 1;
    console.log(`| ${basename(name, ".html")} | | | | failed: ${String(error)} |`);
  }
}
await comparer.close();
await site.close();

const { equal, differing, failed } = counts;
console.log(`\n${names.length} pages: ${equal} equal, ${differing} differing, ${failed} failed.`);
console.log(
  `Analysis in all: ours ${Math.round(counts.oursMs)} ms, plain axe-core ${Math.round(counts.axeMs)} ms.`,
);
process.exitCode = differing + failed > 0 ? 1 : 0;

function page(path: string) {
  return { headers: { "content-type": "text/html; charset=utf-8" }, body: readFileSync(path) };
}

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
  console.log(
    `| ${basename(name, ".html")} | ${elements} | ${Math.round(oursMs)} | ${Math.round(axeMs)} | ${result} |`,
  );
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
