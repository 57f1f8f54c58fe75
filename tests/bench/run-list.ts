import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql, type Insertable } from "kysely";
import type { Db } from "db/schema";
import type { FindingTable, StoredElementTable } from "db/tables/findings";
import type { PageTable, RunTable } from "db/tables/runs";
import { createQueueOverview } from "~/administration/queue.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createFindings } from "~/findings/finding.server";
import { createReports } from "~/reports/report.server";
import { createRunLists } from "~/runs/list.server";
import { createRuns } from "~/runs/run.server";
import { createStatistics } from "~/runs/statistics.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { checkedPage, element, ENGINES, finding } from "../support/database/page-results";
import { newDatabase, partsOf } from "../support/database/server-database";
import { below, conclude, figure, introduce, median, quantile, round, type Figure } from "./support/figures";
import { readOptions, sized } from "./support/options";

/*
 * Speed of the list of runs, statistics and a result with 100,000 stored runs of 50 findings. Needs no build.
 *
 *   nice npx tsx tests/bench/run-list.ts [runs]
 */
const TARGET_MS = 30;
const RUNS = Number(readOptions().names[0] ?? sized(100_000, 500));
const DAY = 86_400_000;
const NOW = Date.now();
// 10,000 runs belong to one user, the worst case for a list; the rest is spread over a thousand.
const BIG_OWNER = "big";
const BIG_SHARE = Math.max(1, Math.floor(RUNS / 10_000));
// Lists read no findings: with a million runs, only some have them; otherwise, writing the file would take half an hour.
const WITH_FINDINGS = Math.ceil(RUNS / 100_000);
// Rows per statement: a query has at most 32,766 values.
const BATCH = 500;

introduce(`${RUNS.toLocaleString("en")} stored runs`);
const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-bench-"));
try {
  const db = await newDatabase({ dataDir });
  const filled = performance.now();
  await fill(db);
  console.log(
    `${RUNS.toLocaleString("en")} runs stored in ${((performance.now() - filled) / 1000).toFixed(1)} s`,
  );
  const figures = [...(await measure(db)), ...(await weigh(db))];
  await db.destroy();
  conclude(figures);
} finally {
  rmSync(dataDir, { recursive: true });
}

/** Writes finished runs without the models, which store one at a time. */
async function fill(db: Db): Promise<void> {
  const rules = Array.from({ length: 100 }, (_, index) => {
    const { ruleId, tags, help, description, helpUrl } = finding(`rule-${index + 1}`);
    const texts = { tags: JSON.stringify(tags), help, description, help_url: helpUrl };
    return { id: index + 1, source: "axe" as const, rule_id: ruleId, engine_version: ENGINES[0]!.version, ...texts };
  });
  await db.insertInto("rule").values(rules).execute();
  for (let from = 1; from <= RUNS; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, RUNS + 1 - from) }, (_, index) => from + index);
    await db.transaction().execute(async (trx) => {
      await trx.insertInto("run").values(numbers.map(runOf)).execute();
      await trx.insertInto("page").values(numbers.map(pageOf)).execute();
    });
  }
  const { findings, elements } = foundOn(WITH_FINDINGS);
  await db.insertInto("finding").values(findings).execute();
  await db.insertInto("stored_element").values(elements).execute();
  for (let from = WITH_FINDINGS + 1; from <= RUNS; from += 10 * BATCH) await copyFindings(db, from, from + 10 * BATCH);
}

/** Copies the findings of the first page with findings to a range of pages. */
async function copyFindings(db: Db, from: number, to: number): Promise<void> {
  const pages = db
    .selectFrom("page")
    .select("id")
    .where("id", ">=", from)
    .where("id", "<", to)
    .where(sql<number>`id % ${WITH_FINDINGS}`, "=", 0);
  const finding = ["category", "rule_id", "impact", "element_count"] as const;
  const element = ["category", "rule_id", "position", "target", "html", "html_cut", "impact", "checks"] as const;
  await db.transaction().execute(async (trx) => {
    const findings = trx.selectFrom("finding").select(finding).where("page_id", "=", WITH_FINDINGS).as("found");
    const elements = trx.selectFrom("stored_element").select(element).where("page_id", "=", WITH_FINDINGS).as("found");
    await trx
      .insertInto("finding")
      .columns(["page_id", ...finding])
      .expression(trx.selectFrom([pages.as("to"), findings]).select(["to.id", ...finding]))
      .execute();
    await trx
      .insertInto("stored_element")
      .columns(["page_id", ...element])
      .expression(trx.selectFrom([pages.as("to"), elements]).select(["to.id", ...element]))
      .execute();
  });
}

function idOf(number: number): string {
  return `run-${String(number).padStart(18, "0")}`;
}

function siteOf(number: number): string {
  return `site-${number % 20_000}.example`;
}

/** Times over 60 days: half of them count for the statistics. */
function timeOf(number: number): number {
  return NOW - Math.floor((60 * DAY * (RUNS - number)) / RUNS);
}

function runOf(number: number): Insertable<RunTable> {
  const [site, at] = [siteOf(number), timeOf(number)];
  return {
    id: idOf(number),
    owner: number % BIG_SHARE === 0 ? BIG_OWNER : `user-${number % 1_000}`,
    ...{ url: `https://${site}/`, site, scope: "page", standard_version: "2.2", standard_level: "AA", status: number % 1_000 === 0 ? "failed" : "succeeded" },
    ...{ created_at: at, started_at: at, finished_at: at, expires_at: at + 365 * DAY, engines: JSON.stringify(ENGINES) },
    ...{ pages: 1, violations: 3, incomplete: 2, passes: 25, inapplicable: 20, elements: number % 40, critical: 1, serious: 2 },
  };
}

function pageOf(number: number): Insertable<PageTable> {
  const url = `https://${siteOf(number)}/`;
  const about = { title: "A title of a page", lang: "de", checked_at: timeOf(number) };
  return { id: number, run_id: idOf(number), position: 0, url, final_url: url, status: "succeeded", ...about };
}

/** Findings of a page: 3 + 2 + 25 + 20 = 50. */
function foundOn(page_id: number) {
  const findings = Array.from({ length: 50 }, (_, index): Insertable<FindingTable> => {
    const rule_id = index + 1;
    if (rule_id <= 3) return { page_id, category: "violations", rule_id, impact: "serious", element_count: 2 };
    if (rule_id <= 5) return { page_id, category: "incomplete", rule_id, impact: "serious", element_count: 1 };
    return { page_id, category: rule_id <= 30 ? "passes" : "inapplicable", rule_id, impact: null, element_count: rule_id };
  });
  const target = JSON.stringify(["main > ul:nth-child(3) > li:nth-child(2) > a"]);
  const html = `<a href="/products/123" class="card card--wide">${"x".repeat(150)}</a>`;
  const elements = findings
    .filter(({ impact }) => impact !== null)
    .flatMap(({ category, rule_id, impact, element_count }) =>
      Array.from({ length: element_count }, (_, position): Insertable<StoredElementTable> => {
        return { page_id, category, rule_id, position, target, html, html_cut: 0, impact, checks: JSON.stringify(element().checks) };
      }),
    );
  return { findings, elements };
}

async function measure(db: Db): Promise<Figure[]> {
  const queue = createDatabaseQueue({ db });
  const runs = createRuns({ db, box: createSecretBox(["a secret of the benchmarks"]), queues: { page: queue, site: queue }, retentionDays: 365 });
  const lists = createRunLists({ db, runs });
  const reports = createReports({ db });
  const findings = createFindings({ db });
  const statistics = createStatistics({ db, cacheMs: 0 });
  const overview = createQueueOverview({ db, runs });
  const anybody = { text: "", limit: 50 };
  const middle = `${NOW - 30 * DAY}.run`;
  const order = { scope: "page", standard: { version: "2.2", level: "AA" }, owner: BIG_OWNER } as const;
  let count = 0;

  return [
    await time("list, newest 50 of a big user", 500, () => lists.list(BIG_OWNER, { limit: 50 })),
    await time("list, 50 from the middle", 500, () => lists.list(BIG_OWNER, { before: middle, limit: 50 })),
    await time("list, newest 50 of a small user", 500, () => lists.list("user-500", { limit: 50 })),
    await time("list, a status that none has", 100, () => lists.list(BIG_OWNER, { status: "failed", limit: 50 })),
    await time("list, a text that none has", 100, () => lists.list(BIG_OWNER, { text: "nowhere", limit: 50 })),
    await time("list, a text that few have", 100, () => lists.list(BIG_OWNER, { text: "777", limit: 50 })),
    await time("all scans, newest 50", 100, () => overview.list({ ...anybody, state: "all" })),
    await time("all scans, 50 from the middle", 100, () => overview.list({ ...anybody, state: "all", before: middle })),
    await time("all scans, those under way", 100, () => overview.list({ ...anybody, state: "under_way" })),
    await time("all scans, those that failed", 100, () => overview.list({ ...anybody, state: "failed" })),
    await time("all scans, a text that none has", 20, () => overview.list({ ...anybody, state: "all", text: "nowhere" })),
    await time("all scans, the numbers above them", 100, () => overview.counts()),
    await time("one run, and the rules of its report", 200, async () => {
      const id = idOf(BIG_SHARE * Math.ceil(Math.random() * Math.floor(RUNS / BIG_SHARE)));
      await runs.ofOwner(id, BIG_OWNER);
      await reports.rules(id);
    }),
    await change("throw 50 away and fetch them back", 50, async () => {
      const { runs: some } = await lists.list(BIG_OWNER, { limit: 50 });
      await lists.remove(BIG_OWNER, some.map(({ id }) => id));
      const removal = await lists.latestRemoval(BIG_OWNER);
      await lists.restore(BIG_OWNER, removal?.at ?? 0);
    }),
    await time("statistics, not cached", 50, () => statistics.read()),
    await time("one result, 20 elements a finding", 500, () =>
      findings.ofPage(WITH_FINDINGS * Math.ceil((Math.random() * RUNS) / WITH_FINDINGS), { elements: 20 }),
    ),
    await change("order and store a run of 90 findings", 200, async () => {
      const { id, url } = await runs.start({ ...order, url: `https://new.example/${(count += 1)}` });
      await runs.begin(id);
      await db.transaction().execute((trx) => runs.finish(trx, id, bigPage(url), ENGINES));
    }),
  ];
}

function bigPage(url: string) {
  const rules = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => finding(`rule-${from + index}`, { elementCount: 3 }));
  const violations = rules(1, 8).map((rule) => ({
    ...rule,
    impact: "serious" as const,
    elements: [element(), element(), element()],
  }));
  return checkedPage({
    url,
    findings: { violations, incomplete: rules(9, 2), passes: rules(11, 30), inapplicable: rules(41, 50) },
  });
}

/** Measures a view. */
async function time(name: string, times: number, action: () => Promise<unknown>): Promise<Figure> {
  const taken = await repeat(times, action);
  return { ...below(`${name}: median, p99, ms`, median(taken), TARGET_MS), measured: said(taken) };
}

/** Measures a change, which has no target. */
async function change(name: string, times: number, action: () => Promise<unknown>): Promise<Figure> {
  return figure(`${name}: median, p99, ms`, said(await repeat(times, action)));
}

function said(taken: number[]): string {
  return `${round(median(taken))}, ${round(quantile(taken, 0.99))} (n = ${taken.length})`;
}

/** @returns the time of each, in ms */
async function repeat(times: number, action: () => Promise<unknown>): Promise<number[]> {
  await action();
  const taken: number[] = [];
  for (let round = 0; round < sized(times, 1); round += 1) {
    const begin = performance.now();
    await action();
    taken.push(performance.now() - begin);
  }
  return taken;
}

async function weigh(db: Db): Promise<Figure[]> {
  const large = (await partsOf(db)).filter(({ bytes }) => bytes > 1_000_000);
  return large.map(({ name, bytes }) => figure(`size of ${name}`, `${round(bytes / 1e6)} MB, ${round(bytes / RUNS)} bytes for each run`));
}
