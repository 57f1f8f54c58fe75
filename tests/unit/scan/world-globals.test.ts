import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { WORLD_GLOBALS } from "~/scan/page/world-globals";

const folder = fileURLToPath(new URL("../../../app/scan", import.meta.url));
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(`${folder}/${name}`, "utf8"));

/** Patterns of global variables in functions for pages; names that begin with `rampe` are always globals. */
const WRITES = [
  /\b(rampe[A-Z]\w*)/g,
  /\(globalThis(?: as [^()]+)?\)\.(\w+) (?:\?\?)?=[^=>]/g,
  /\b(?:isolatedWorld|globals)\.(\w+) (?:\?\?)?=[^=>]/g,
  /Object\.assign\(globalThis, \{ (\w+)/g,
  /Object\.assign\(globalThis, \{ \w+: [^{}]*?, (\w+): /g,
];

test("every global of the functions that run in pages has its place, so that no element of a page can take it", () => {
  const written = WRITES.flatMap((pattern) => sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name]) => name as string)));
  // Control: the patterns find known globals.
  expect(written).toEqual(expect.arrayContaining(["watch", "arrivals", "contextOf", "drawnTexts", "analyser", "possibleHosts", "pause", "outline", "withoutRepeated", "rampeHovered", "rampeHeld"]));
  expect([...new Set(written)].filter((name) => !WORLD_GLOBALS.includes(name))).toEqual([]);
});
