import { sql, type RawBuilder } from "kysely";
import type { Db, Trx } from "db/schema";
import { createQueueOverview } from "~/administration/queue.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createFindings } from "~/findings/finding.server";
import { createReports } from "~/reports/report.server";
import { createRunLists } from "~/runs/list.server";
import { createRuns } from "~/runs/run.server";
import { createStatistics } from "~/runs/statistics.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { checkedPage, element, ENGINES, finding } from "../support/database/page-results";
import { newDatabase, partsOf, tidy, versionOf } from "../support/database/server-database";
import { freshBenchFolder } from "./support/bench-folder";
import { below, conclude, figure, introduce, median, quantile, round, type Figure } from "./support/figures";
import { readOptions, sized } from "./support/options";
import { startDurableBench } from "./support/postgres-processes";

/*
 * Speed of the list of runs, statistics and a result with 100,000 stored runs, with 50 findings and five elements for each run. Needs no
 * build; a million runs need 6 GB in the folder for temporary files with PostgreSQL.
 *
 *   nice npx tsx tests/bench/run-list.ts [--postgres] [runs]
 */
const options = readOptions({ flags: ["postgres"] });
const RUNS = Number(options.names[0] ?? sized(100_000, 500));
const DAY = 86_400_000;
const NOW = Date.now();
const TARGET_MS = 30;
// 10,000 runs belong to one user, the worst case for a list; the rest is spread over a thousand.
const BIG_OWNER = "big";
const BIG_SHARE = Math.max(1, Math.floor(RUNS / 10_000));
// Lists read no findings: with a million runs, only some have them. Their elements are five for each run on average.
const WITH_FINDINGS = Math.ceil(RUNS / 100_000);
const RULES_WITH_ELEMENTS = 5;
const ELEMENTS_PER_RULE = WITH_FINDINGS;
// Runs per transaction, so that the log of the database stays short.
const BATCH = 20_000;

type Row = Record<string, RawBuilder<unknown>>;

// Made by the database: expressions of the number `n` of a run, from 1. Each run has one page with the same number.
const ID = sql`'run-' || substr(cast(1000000000000000000 + n as text), 2)`;
const SITE = sql`'site-' || (n % 20000) || '.example'`;
const URL_OF_SITE = sql`'https://' || ${SITE} || '/'`;
/** Times over 60 days: half of them count for the statistics. */
const AT = sql`${sql.lit(NOW)} - ${sql.lit(60 * DAY)} * (${sql.lit(RUNS)} - n) / ${sql.lit(RUNS)}`;
const RUN: Row = {
  id: ID,
  owner: sql`case when n % ${sql.lit(BIG_SHARE)} = 0 then ${sql.lit(BIG_OWNER)} else 'user-' || (n % 1000) end`,
  ...{ url: URL_OF_SITE, site: SITE, scope: sql`'page'`, standard_version: sql`'2.2'`, standard_level: sql`'AA'` },
  status: sql`case when n % 1000 = 0 then 'failed' else 'succeeded' end`,
  ...{ created_at: AT, started_at: AT, finished_at: AT, expires_at: sql`${AT} + ${sql.lit(365 * DAY)}`, engines: sql.lit(JSON.stringify(ENGINES)) },
  ...{ pages: sql`1`, violations: sql`3`, incomplete: sql`2`, passes: sql`25`, inapplicable: sql`20` },
  ...{ elements: sql`n % 40`, critical: sql`1`, serious: sql`2` },
};
const PAGE: Row = {
  ...{ run_id: ID, position: sql`0`, url: URL_OF_SITE, final_url: URL_OF_SITE, status: sql`'succeeded'` },
  ...{ title: sql`'A title of a page'`, lang: sql`'de'`, checked_at: AT },
};
/** Of rule 1 to 50 of each page: 3 + 2 + 25 + 20 = 50 findings. */
const OF_RULE: Row = {
  page_id: sql`n`,
  category: sql`case when rule.id <= 3 then 'violations' when rule.id <= 5 then 'incomplete' when rule.id <= 30 then 'passes' else 'inapplicable' end`,
  rule_id: sql`rule.id`,
  impact: sql`case when rule.id <= ${sql.lit(RULES_WITH_ELEMENTS)} then 'serious' end`,
};
const FINDING: Row = { ...OF_RULE, element_count: sql`case when rule.id <= ${sql.lit(RULES_WITH_ELEMENTS)} then ${sql.lit(ELEMENTS_PER_RULE)} else rule.id end` };
const ELEMENT: Row = {
  ...OF_RULE,
  ...{ position: sql`position`, target: sql.lit(JSON.stringify(["main > ul:nth-child(3) > li:nth-child(2) > a"])) },
  html: sql`'<a href="/products/' || n || '-' || position || '" class="card card--wide">' || ${sql.lit("x".repeat(150))} || '</a>'`,
  ...{ html_cut: sql`0`, checks: sql.lit(JSON.stringify(element().checks)), component: sql`'a.card-' || rule.id` },
};

introduce(`${RUNS.toLocaleString("en")} stored runs`);
const dataDir = freshBenchFolder();
const server = options.flags.has("postgres") ? await startDurableBench() : undefined;
try {
  const db = await newDatabase({ dataDir });
  console.log(await versionOf(db));
  const filled = performance.now();
  await fill(db);
  const elements = (Math.floor(RUNS / WITH_FINDINGS) * RULES_WITH_ELEMENTS * ELEMENTS_PER_RULE).toLocaleString("en");
  console.log(`${RUNS.toLocaleString("en")} runs with ${elements} elements stored in ${((performance.now() - filled) / 1000).toFixed(1)} s`);
  const figures = [...(await measure(db)), ...(await weigh(db))];
  await db.destroy();
  conclude(figures);
} finally {
  await server?.stop();
}

/** Writes finished runs without the models, which store one at a time: the database itself makes the rows. */
async function fill(db: Db): Promise<void> {
  const rules = Array.from({ length: 100 }, (_, index) => {
    const { ruleId, tags, help, description, helpUrl } = finding(`rule-${index + 1}`);
    const texts = { tags: JSON.stringify(tags), help, description, help_url: helpUrl };
    return { source: "axe" as const, rule_id: ruleId, engine_version: ENGINES[0]!.version, ...texts };
  });
  await db.insertInto("rule").values(rules).execute();
  for (let from = 1; from <= RUNS; from += BATCH) {
    const to = Math.min(RUNS, from + BATCH - 1);
    await db.transaction().execute(async (trx) => {
      await insertRows(trx, "run", RUN, sql`${numbers("n", from, to)}`);
      await insertRows(trx, "page", PAGE, sql`${numbers("n", from, to)}`);
      const withFindings = sql`${numbers("n", from, to)} cross join rule where n % ${sql.lit(WITH_FINDINGS)} = 0`;
      await insertRows(trx, "finding", FINDING, sql`${withFindings} and rule.id <= 50`);
      const positions = numbers("position", 0, ELEMENTS_PER_RULE - 1);
      await insertRows(trx, "stored_element", ELEMENT, sql`${positions} cross join ${withFindings} and rule.id <= ${sql.lit(RULES_WITH_ELEMENTS)}`);
    });
  }
  await tidy({ dataDir });
}

async function insertRows(trx: Trx, table: string, row: Row, from: RawBuilder<unknown>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns}) select ${sql.join(Object.values(row))} from ${from}`.execute(trx);
}

/** Table of the whole numbers of a range. */
function numbers(name: string, from: number, to: number): RawBuilder<unknown> {
  const column = sql.ref(name);
  const steps = sql`select cast(${sql.lit(from)} as bigint) as ${column} union all select ${column} + 1 from numbers where ${column} < ${sql.lit(to)}`;
  return sql`(with recursive numbers as (${steps}) select ${column} from numbers) as ${sql.table(`${name}_numbers`)}`;
}

function idOf(number: number): string {
  return `run-${String(number).padStart(18, "0")}`;
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
  const someNumber = () => BIG_SHARE * Math.ceil((Math.random() * RUNS) / BIG_SHARE);
  const someRun = () => idOf(someNumber());
  let count = 0;

  return [
    await time("list, newest 50 of a big user", 500, () => lists.list(BIG_OWNER, { limit: 50 })),
    await time("list, 50 from the middle", 500, () => lists.list(BIG_OWNER, { before: middle, limit: 50 })),
    await time("list, newest 50 of a small user", 500, () => lists.list("user-500", { limit: 50 })),
    await time("list, a status that none has", 100, () => lists.list(BIG_OWNER, { status: "canceled", limit: 50 })),
    await time("list, a text that none has", 100, () => lists.list(BIG_OWNER, { text: "nowhere", limit: 50 })),
    await time("list, a text that few have", 100, () => lists.list(BIG_OWNER, { text: "777", limit: 50 })),
    await time("all scans, newest 50", 100, () => overview.list({ ...anybody, state: "all" })),
    await time("all scans, 50 from the middle", 100, () => overview.list({ ...anybody, state: "all", before: middle })),
    await time("all scans, those under way", 100, () => overview.list({ ...anybody, state: "under_way" })),
    await time("all scans, those that failed", 100, () => overview.list({ ...anybody, state: "failed" })),
    await time("all scans, a text that none has", 20, () => overview.list({ ...anybody, state: "all", text: "nowhere" })),
    await time("all scans, the numbers above them", 100, () => overview.counts()),
    await time("one run, and the rules of its report", 200, async () => {
      const id = someRun();
      await runs.ofOwner(id, BIG_OWNER);
      await reports.rules(id);
    }),
    await time("one report, the elements of a rule", 200, () =>
      reports.locationsOf(someRun(), { category: "violations", ruleId: "rule-1", offset: 0, limit: 10 }),
    ),
    await time("one report, one element and its neighbours", 200, async () => {
      const number = someNumber();
      const at = { category: "violations", ruleId: "rule-1", pageId: number, position: 0 } as const;
      await reports.location(idOf(number), at);
      await reports.neighboursOf(idOf(number), at);
    }),
    await time("one report, a text in its elements", 200, () => reports.rulesWithText(someRun(), "violations", { text: "nowhere" })),
    await time("one report, its pages", 200, () => reports.pages(someRun(), { limit: 50 })),
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
