// How fast are the list of runs, statistics and a result when 100,000 runs of 50 findings are stored?
// nice npx tsx tests/bench/run-list.ts [runs]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import SQLite from "better-sqlite3";
import { sql } from "kysely";
import { migrate } from "db/migrate.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { createFindings } from "~/findings/finding.server";
import { createReports } from "~/reports/report.server";
import { createRunLists } from "~/runs/list.server";
import { createRuns } from "~/runs/run.server";
import { createStatistics } from "~/runs/statistics.server";
import { createSqliteQueue } from "~/platform/jobs/sqlite-queue.server";
import { checkedPage, element, ENGINES, finding } from "../support/page-results";
import { testBox } from "../support/database";

const RUNS = Number(process.argv[2] ?? 100_000);
const DAY = 86_400_000;
const NOW = Date.now();
// 10,000 runs belong to one user, the worst case for a list; the rest is spread over a thousand.
const BIG_OWNER = "big";
const BIG_SHARE = Math.max(1, Math.floor(RUNS / 10_000));
// Lists read no findings: a million runs have them only here and there, else the file would take half an hour to write.
const WITH_FINDINGS = Math.ceil(RUNS / 100_000);

const folder = mkdtempSync(path.join(tmpdir(), "rampe-bench-"));
const file = path.join(folder, "rampe.db");
try {
  const db = openSqlite(file);
  await migrate(db);
  const filled = performance.now();
  fill(file);
  console.log(
    `${RUNS.toLocaleString("en")} runs stored in ${((performance.now() - filled) / 1000).toFixed(1)} s`,
  );
  await measure(db);
  await weigh(db);
  await db.destroy();
} finally {
  rmSync(folder, { recursive: true });
}

/** Writes finished runs past the models, which are made for one at a time. */
function fill(file: string): void {
  const raw = new SQLite(file);
  raw.pragma("synchronous = OFF");
  const insert = (table: string, columns: string[]) =>
    raw.prepare(`insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`);
  const run = insert("run", [
    ...["id", "owner", "url", "site", "scope", "standard_version", "standard_level", "status", "created_at"],
    ...["started_at", "finished_at", "expires_at", "engines"],
    ...["pages", "violations", "incomplete", "passes", "inapplicable", "elements", "critical", "serious"],
  ]);
  const page = insert("page", [
    "id",
    "run_id",
    "position",
    "url",
    "final_url",
    "status",
    "title",
    "lang",
    "checked_at",
  ]);
  const rule = insert("rule", [
    ...["id", "source", "rule_id", "engine_version", "tags", "help", "description", "help_url"],
  ]);
  const findings = insert("finding", ["page_id", "category", "rule_id", "impact", "element_count"]);
  const elements = insert("stored_element", [
    ...["page_id", "category", "rule_id", "position", "target", "html", "html_cut", "impact", "checks"],
  ]);
  const target = JSON.stringify(["main > ul:nth-child(3) > li:nth-child(2) > a"]);
  const html = `<a href="/products/123" class="card card--wide">${"x".repeat(150)}</a>`;
  const checks = JSON.stringify(element().checks);

  raw.transaction(() => {
    for (let id = 1; id <= 100; id += 1) {
      const { tags, help, description, helpUrl } = finding(`rule-${id}`);
      rule.run(id, "axe", `rule-${id}`, ENGINES[0]!.version, JSON.stringify(tags), help, description, helpUrl);
    }
  })();
  const storeRun = (index: number) => {
    const id = `run-${String(index).padStart(18, "0")}`;
    const owner = index % BIG_SHARE === 0 ? BIG_OWNER : `user-${index % 1_000}`;
    const site = `site-${index % 20_000}.example`;
    const url = `https://${site}/`;
    // Over 60 days: half of them count for the statistics.
    const at = NOW - Math.floor((60 * DAY * (RUNS - index)) / RUNS);
    run.run(
      ...[
        id,
        owner,
        url,
        site,
        "page",
        "2.2",
        "AA",
        "succeeded",
        at,
        at,
        at,
        at + 365 * DAY,
        JSON.stringify(ENGINES),
      ],
      ...[1, 3, 2, 25, 20, index % 40, 1, 2],
    );
    page.run(index, id, 0, url, url, "succeeded", "A title of a page", "de", at);
    if (index % WITH_FINDINGS > 0) return;
    // 3 + 2 + 25 + 20 = 50 findings.
    for (let number = 1; number <= 50; number += 1) {
      const [category, impact, count] =
        number <= 3
          ? ["violations", "serious", 2]
          : number <= 5
          ? ["incomplete", "serious", 1]
          : [number <= 30 ? "passes" : "inapplicable", null, number];
      findings.run(index, category, number, impact, count);
      if (number > 5) continue;
      for (let position = 0; position < Number(count); position += 1) {
        elements.run(index, category, number, position, target, html, 0, impact, checks);
      }
    }
  };
  const storeRuns = raw.transaction((from: number, to: number) => {
    for (let index = from; index < to; index += 1) storeRun(index);
  });
  for (let from = 1; from <= RUNS; from += 5_000) storeRuns(from, Math.min(from + 5_000, RUNS + 1));
  raw.close();
}

async function measure(db: Db): Promise<void> {
  const queue = createSqliteQueue({ db });
  const runs = createRuns({ db, box: testBox, queues: { page: queue, site: queue }, retentionDays: 365 });
  const lists = createRunLists({ db, runs });
  const reports = createReports({ db });
  const findings = createFindings({ db });
  const statistics = createStatistics({ db, cacheMs: 0 });
  const middle = `${NOW - 30 * DAY}.run`;
  const order = { scope: "page", standard: { version: "2.2", level: "AA" }, owner: BIG_OWNER } as const;
  let count = 0;

  const rows = [
    await time("list, newest 50 of a big user", 500, () => lists.list(BIG_OWNER, { limit: 50 })),
    await time("list, 50 from the middle", 500, () => lists.list(BIG_OWNER, { before: middle, limit: 50 })),
    await time("list, newest 50 of a small user", 500, () => lists.list("user-500", { limit: 50 })),
    await time("list, a status that none has", 100, () => lists.list(BIG_OWNER, { status: "failed", limit: 50 })),
    await time("list, a text that none has", 100, () => lists.list(BIG_OWNER, { text: "nowhere", limit: 50 })),
    await time("list, a text that few have", 100, () => lists.list(BIG_OWNER, { text: "777", limit: 50 })),
    await time("one run, and the rules of its report", 200, async () => {
      const id = `run-${String(BIG_SHARE * Math.ceil(Math.random() * 10_000)).padStart(18, "0")}`;
      await runs.ofOwner(id, BIG_OWNER);
      await reports.rules(id);
    }),
    await time("throw 50 away and fetch them back", 50, async () => {
      const { runs: some } = await lists.list(BIG_OWNER, { limit: 50 });
      await lists.remove(BIG_OWNER, some.map(({ id }) => id));
      const removal = await lists.latestRemoval(BIG_OWNER);
      await lists.restore(BIG_OWNER, removal?.at ?? 0);
    }),
    await time("statistics, not cached", 50, () => statistics.read()),
    await time("one result, 20 elements a finding", 500, () =>
      findings.ofPage(WITH_FINDINGS * Math.ceil((Math.random() * RUNS) / WITH_FINDINGS), { elements: 20 }),
    ),
    await time("order and store a run of 90 findings", 200, async () => {
      const { id, url } = await runs.start({ ...order, url: `https://new.example/${(count += 1)}` });
      await runs.begin(id);
      await db.transaction().execute((trx) => runs.finish(trx, id, bigPage(url), ENGINES));
    }),
  ];
  console.table(Object.fromEntries(rows));
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

async function time(name: string, times: number, action: () => Promise<unknown>) {
  await action();
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const begin = performance.now();
    await action();
    taken.push(performance.now() - begin);
  }
  taken.sort((one, other) => one - other);
  const at = (share: number) => `${(taken[Math.floor(times * share)] ?? 0).toFixed(2)} ms`;
  return [name, { times, median: at(0.5), p99: at(0.99) }] as const;
}

async function weigh(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select name, sum(pgsize) as bytes from dbstat where aggregate = true group by name having bytes > 1000000
    order by bytes desc`.execute(db);
  console.table(
    Object.fromEntries(
      rows.map(({ name, bytes }) => [
        name,
        { MB: Math.round(bytes / 1e6), "bytes per run": Math.round(bytes / RUNS) },
      ]),
    ),
  );
}
