import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Db } from "db/schema";
import { openCorpus } from "./support/corpus";
import { atLeast, conclude, figure, introduce, round, sum } from "./support/figures";
import { readOptions } from "./support/options";
import { addUsers, finishedRun } from "../support/database/finished-runs";
import { testScanner, WCAG22AA } from "../support/scan/scanner";
import { newDatabase, sizeOf } from "../support/database/server-database";

/*
 * Size of the stored elements of a site run over the corpus, whose pages have nothing in common: with shared texts, and
 * with a separate text for each element; and possible savings by compression of the stored texts.
 *
 *   CORPUS_DIR=folder/of/html npx tsx tests/bench/evidence.ts [name…]
 */
const TARGET = 1.5;
const corpus = await openCorpus(readOptions({ rounds: 1 }).names);
introduce(`Stored elements of ${corpus.pages.length} pages`);
const scanner = testScanner({ pageSeconds: 60 });
const results = await Promise.all(corpus.pages.map(({ url }) => scanner.check({ url, standard: WCAG22AA })));
await scanner.stop();
await corpus.close();

const location = { dataDir: await mkdtemp(path.join(tmpdir(), "rampe-bench-")) };
const db = await newDatabase(location);
await addUsers(db, "ada");
await finishedRun(db, results, { owner: "ada" });
const elements = await db.selectFrom("element").select(["html", "checks"]).execute();
const texts = elements.flatMap(({ html, checks }) => [html, checks]).map((text) => Buffer.byteLength(text));
const stored = [
  ...(await db.selectFrom("stored_element").select(["html", "checks"]).execute()).flatMap(({ html, checks }) => [html, checks]),
  ...(await shared(db)),
].map((text) => Buffer.byteLength(text));
const compressed = (await shared(db)).map((text) => Math.min(Buffer.byteLength(text), brotliCompressSync(text).byteLength));
const rows = (await shared(db)).length;
await db.destroy();
const size = await sizeOf(location);
await rm(location.dataDir, { recursive: true });

conclude([
  figure("pages checked", results.filter(({ status }) => status === "succeeded").length),
  figure("elements", elements.length),
  figure("texts, KB", kilobytes(sum(texts))),
  figure("texts as stored, KB", kilobytes(sum(stored))),
  atLeast("texts / texts as stored", sum(texts) / sum(stored), TARGET),
  figure("rows of shared texts", rows),
  figure("each of them compressed as well would save, KB", kilobytes(sum(stored) - inline(stored) - sum(compressed))),
  figure("database, KB", kilobytes(size)),
]);

async function shared(from: Db): Promise<string[]> {
  return (await from.selectFrom("element_text").select("text").execute()).map(({ text }) => text);
}

function inline(sizes: number[]): number {
  return sum(sizes.slice(0, 2 * elements.length));
}

function kilobytes(bytes: number): string {
  return round(bytes / 1_000);
}
