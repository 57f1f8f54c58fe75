import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Insertable } from "kysely";
import type { Db } from "db/schema";
import type { PageTable, RunTable } from "db/tables/runs";
import { createWebsites } from "~/monitoring/websites/websites.server";
import { createPages } from "~/runs/page.server";
import { ENGINES } from "../support/database/page-results";
import { newDatabase } from "../support/database/server-database";
import { atMost, below, conclude, introduce, median, quantile, round, type Figure } from "./support/figures";
import { readOptions, sized } from "./support/options";

/*
 * Speed of the list of 500 websites with 20 runs each, with as many runs of other users. Needs no build.
 *
 *   nice npx tsx tests/bench/websites.ts [websites]
 */
const TARGET_MS = 30;
const MOST_QUERIES = 10;
const WEBSITES = Number(readOptions().names[0] ?? sized(500, 30));
const RUNS = sized(20, 2);
const PER_PAGE = 25;
const DAY = 86_400_000;
const NOW = Date.now();
const TIMES = sized(100, 1);
/** Website that is searched for. */
const WANTED = Math.floor(WEBSITES / 6);

introduce(`List of ${WEBSITES} websites with ${RUNS} runs each`);
const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-bench-"));
try {
  const db = await newDatabase({ dataDir });
  for (const owner of ["ada", "eve"]) for (let website = 0; website < WEBSITES; website += 1) await fill(db, owner, website);
  const figures = await measure(db);
  await db.destroy();
  conclude(figures);
} finally {
  rmSync(dataDir, { recursive: true });
}

async function fill(db: Db, owner: string, website: number): Promise<void> {
  const url = `https://website-${website}.example/`;
  const runs = Array.from({ length: RUNS }, (_, index): Insertable<RunTable> => {
    const at = NOW - (RUNS - index) * DAY;
    return {
      ...{ id: `${owner}-${website}-${index}`, owner, url, site: new URL(url).host, scope: "site", standard_version: "2.2", standard_level: "AA", status: "succeeded" },
      ...{ created_at: at, started_at: at, finished_at: at, expires_at: at + 365 * DAY, engines: JSON.stringify(ENGINES), violated_rules: '["image-alt"]' },
      ...{ pages: 40, known_pages: 40, violations: 3, passes: 25, elements: (website * index) % 90, changes: '{"before":null}' },
    };
  });
  const pages = runs.map(({ id: run_id }): Insertable<PageTable> => ({ run_id, position: 0, url, final_url: url, status: "succeeded" }));
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("run").values(runs).execute();
    await trx.insertInto("page").values(pages).execute();
  });
}

async function measure(db: Db): Promise<Figure[]> {
  let queries = 0;
  const counted = db.withPlugin({ transformQuery: ({ node }) => node, transformResult: async ({ result }) => ((queries += 1), result) });
  const websites = createWebsites({ db: counted, purchases: { of: async () => [] }, open: true });
  const pages = createPages({ db: counted });
  const list = async (filter: Parameters<typeof websites.list>[1], from = 0) => {
    const found = await websites.list("ada", filter);
    const shown = found.slice(from, from + PER_PAGE);
    await Promise.all([websites.details("ada", shown), pages.reachedFirst(shown.flatMap(({ lastRun }) => lastRun ?? []))]);
  };
  return [
    await time("first page, by name", () => list({})),
    await time("page in the middle, most elements first", () => list({ order: "most" }, WEBSITES / 2)),
    await time("a text that one has", () => list({ text: `website-${WANTED}.` })),
    await time("a result that none has", () => list({ state: "never" })),
    await time("one website", () => websites.find("ada", `https://website-${WANTED}.example`)),
  ].flat();

  async function time(name: string, action: () => Promise<unknown>): Promise<Figure[]> {
    queries = 0;
    await action();
    const each = queries;
    const taken: number[] = [];
    for (let round = 0; round < TIMES; round += 1) {
      const begin = performance.now();
      await action();
      taken.push(performance.now() - begin);
    }
    return [
      { ...below(`${name}: median, p99, ms`, median(taken), TARGET_MS), measured: `${round(median(taken))}, ${round(quantile(taken, 0.99))}` },
      atMost(`${name}: queries`, each, MOST_QUERIES),
    ];
  }
}
