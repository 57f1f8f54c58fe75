// Tests of SQLite itself: its settings, and migrations of its files.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import SQLite from "better-sqlite3";
import { CompiledQuery, sql, type KyselyPlugin } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "db/migrate.server";
import { migrations } from "db/migrations/index";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createFindings } from "~/findings/finding.server";
import { createQueueOverview } from "~/administration/queue.server";
import { createRunLists } from "~/runs/list.server";
import { createRetention } from "~/runs/retention.server";
import { toRun } from "~/runs/run-row.server";
import { createRuns } from "~/runs/run.server";
import { createStatistics } from "~/runs/statistics.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import type { CheckedPage, Gaps } from "~/scan/types";
import { freshDatabase, freshDatabaseFile, testBox } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage, finding } from "../../support/database/page-results";

const run = promisify(execFile);
const migrateProcess = fileURLToPath(new URL("../../support/database/migrate-process.ts", import.meta.url));

test("the database has the settings that protect its data", async () => {
  const db = await freshDatabase();
  const setting = async (name: string) =>
    Object.values((await sql.raw<object>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0] as unknown;
  expect(await setting("journal_mode")).toBe("wal");
  // 0: our driver waits without blocking the process.
  expect(await setting("busy_timeout")).toBe(0);
  // 2 is FULL: a commit is on the disk before the answer.
  expect(await setting("synchronous")).toBe(2);
  expect(await setting("foreign_keys")).toBe(1);
  expect(await setting("journal_size_limit")).toBe(16_000_000);
  expect(await setting("auto_vacuum")).toBe(2);
});

test("migrations can be run again, and keep the data", async () => {
  const file = freshDatabaseFile();
  for (let start = 0; start < 3; start += 1) {
    const db = openSqlite(file);
    await migrate(db);
    await db
      .insertInto("rule")
      .values({
        source: "axe",
        rule_id: `rule-${start}`,
        engine_version: "1",
        tags: "[]",
        help: "",
        description: "",
        help_url: "",
      })
      .execute();
    expect(await db.selectFrom("rule").select("id").execute()).toHaveLength(start + 1);
    await db.destroy();
  }
});

test("a database of a newer version is reported as such, and stays unchanged", async () => {
  const db = openSqlite(freshDatabaseFile());
  onTestFinished(() => db.destroy());
  await migrate(db);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', 'tomorrow')`.execute(db);
  await expect(migrate(db)).rejects.toThrow("it was written by a newer version, which this one cannot read: 9999-of-tomorrow");
});

test("purchases of older versions have the plan from their product's name, and one-time payments count from today", async () => {
  const db = openSqlite(freshDatabaseFile());
  const names = Object.keys(migrations);
  for (const name of names.slice(0, names.indexOf("0018-plans"))) await migrations[name]?.up(db);
  await sql`insert into user (id, subject, email, email_key, name, locale, created_at) values ('ada', 'auth0|ada', 'a@example.org', 'a@example.org', 'Ada', 'de', 1)`.execute(db);
  const old = (id: string, kind: string, status: string, name: string) =>
    sql`insert into purchase (id, user_id, kind, status, grants, plan_name, url_limit, amount, currency, created_at) values (${id}, 'ada', ${kind}, ${status}, 1, ${name}, 1, 2000, 'eur', 5)`.execute(db);
  await old("sub_1", "subscription", "active", "Rampe PRO (yearly)");
  await old("sub_2", "subscription", "active", "Agreed with sales");
  await old("pi_1", "payment", "succeeded", "Rampe Basic");
  await old("pi_2", "payment", "failed", "Rampe Enterprise");

  const before = Date.now();
  for (const name of names.slice(names.indexOf("0018-plans"))) await migrations[name]?.up(db);

  const rows = await db.selectFrom("purchase").select(["id", "plan", "paid_at", "ends_at"]).orderBy("id").execute();
  const ends = rows.find(({ id }) => id === "pi_1")?.ends_at ?? 0;
  expect(ends - before).toBeGreaterThanOrEqual(30 * 86_400_000);
  expect(rows).toEqual([
    { id: "pi_1", plan: "basic", paid_at: 5, ends_at: ends },
    { id: "pi_2", plan: "enterprise", paid_at: null, ends_at: null },
    { id: "sub_1", plan: "pro", paid_at: null, ends_at: null },
    { id: "sub_2", plan: "basic", paid_at: null, ends_at: null },
  ]);
  await db.destroy();
});

test("schedules of older versions keep all that was set, and are paused by the same reasons and one more", async () => {
  const db = openSqlite(freshDatabaseFile());
  onTestFinished(() => db.destroy());
  const names = Object.keys(migrations);
  const change = names.indexOf("0042-schedule-access");
  for (const name of names.slice(0, change)) await migrations[name]?.up(db);
  await sql`insert into user (id, subject, email, email_key, name, locale, created_at) values ('ada', 'auth0|ada', 'a@example.org', 'a@example.org', 'Ada', 'de', 1)`.execute(db);
  const first = { id: "s1", owner: "ada", url: "https://shop.example/", scope: "site" as const, level: "AAA" as const, max_pages: 50, left_out: '["/archive/"]', every: "month" as const, hour: 4, anchor_at: 11 };
  const old = [
    { ...first, next_run_at: 12, awaiting_since: 13, mails: 0 as const, paused: "level" as const, created_at: 14, wait_ms: 1_500, wait_for: "#list" },
    { ...first, id: "s2", scope: "page" as const, level: "AA" as const, max_pages: null, left_out: null, every: "day" as const, hour: null, next_run_at: 15, awaiting_since: null, mails: 1 as const, paused: null, created_at: 16, wait_ms: null, wait_for: null },
  ];
  await db.insertInto("schedule").values(old).execute();

  for (const name of names.slice(change)) await migrations[name]?.up(db);

  expect(await db.selectFrom("schedule").selectAll().orderBy("id").execute()).toEqual(old.map((row) => ({ ...row, access: null })));
  const indexes = sql<{ name: string }>`select name from sqlite_master where type = 'index' and tbl_name = 'schedule' and sql is not null order by name`;
  expect((await indexes.execute(db)).rows.map(({ name }) => name)).toEqual(["schedule_awaiting", "schedule_due"]);
  const paused = (why: string) => sql`update schedule set paused = ${why}, access = 'sealed' where id = 's2'`.execute(db);
  await paused("access");
  await expect(paused("other")).rejects.toThrow(/CHECK/);
  await expect(db.insertInto("schedule").values({ ...first, id: "s3", next_run_at: 1, created_at: 1 }).execute()).rejects.toThrow(/UNIQUE/);
  await sql`delete from user where id = 'ada'`.execute(db);
  expect(await db.selectFrom("schedule").select("id").execute()).toEqual([]);
});

test("elements of older versions keep their texts", async () => {
  const db = openSqlite(freshDatabaseFile());
  const names = Object.keys(migrations);
  for (const name of names.slice(0, names.indexOf("0027-shared-texts"))) await migrations[name]?.up(db);
  const html = `<p>${"long ".repeat(100)}</p>`;
  await sql`insert into run (id, url, site, scope, standard_version, standard_level, status, created_at, expires_at) values ('r', 'https://shop.example/', 'shop.example', 'page', '2.2', 'AA', 'succeeded', 1, 2)`.execute(db);
  await sql`insert into page (id, run_id, position, url, status) values (1, 'r', 0, 'https://shop.example/', 'succeeded')`.execute(db);
  await sql`insert into rule (id, source, rule_id, engine_version, tags, help, description, help_url) values (1, 'axe', 'label', '4', '[]', '', '', '')`.execute(db);
  await sql`insert into finding (page_id, category, rule_id, element_count) values (1, 'violations', 1, 1)`.execute(db);
  await sql`insert into element (page_id, category, rule_id, position, target, html, html_cut, checks) values (1, 'violations', 1, 0, '["p"]', ${html}, 0, '[]')`.execute(db);

  for (const name of names.slice(names.indexOf("0027-shared-texts"))) await migrations[name]?.up(db);

  expect((await createFindings({ db }).ofPage(1, { elements: 1 })).violations[0]?.elements[0]).toMatchObject({ html, checks: [], target: ["p"] });
  await db.destroy();
});

test("runs of older versions are listed with as many violated rules as their reports have", async () => {
  const db = await freshDatabase();
  const violating = (url: string, ...rules: string[]) =>
    checkedPage({ url, findings: { violations: rules.map((rule) => finding(rule)), incomplete: [finding("list")], passes: [], inapplicable: [] } });
  const { id } = await finishedRun(db, [violating("https://shop.example/", "label", "image-alt"), violating("https://shop.example/two", "label")]);
  const { id: clean } = await finishedRun(db, [violating("https://shop.example/")]);
  await db.schema.alterTable("run").dropColumn("violated_rules").execute();
  await db.schema.alterTable("run").dropColumn("full_version").execute();

  await migrations["0019-violated-rules"]?.up(db);

  const rows = await db.selectFrom("run").selectAll().where("id", "in", [id, clean]).execute();
  expect(new Map(rows.map((row) => [row.id, toRun(row).stats.violatedRules]))).toEqual(new Map([[id, 2], [clean, 0]]));
});

test("runs of older versions know how many of their pages were checked in part", async () => {
  const db = await freshDatabase();
  const page = (path: string, more: Partial<CheckedPage> = {}) => checkedPage({ url: `https://shop.example/${path}`, ...more });
  const gaps = (more: Partial<Gaps>) => ({ gaps: { ...page("").gaps, ...more } });
  const partly = [
    page("partial", { partial: ["label"] }),
    page("frames", gaps({ frames: ["https://frame.example/"] })),
    page("late", gaps({ late: ["requests"] })),
    page("roots", gaps({ closedShadowRoots: 1 })),
    page("concealed", gaps({ concealed: true })),
    page("unfinished", gaps({ unfinished: true })),
    page("missing", gaps({ missing: { selector: "#x", waitedMs: 5 } })),
  ];
  const { id, stats } = await finishedRun(db, [page(""), page("files", gaps({ resources: 3 })), ...partly]);
  const { id: whole } = await finishedRun(db, [page("")]);
  await db.schema.alterTable("run").dropColumn("partly_pages").execute();

  await migrations["0021-partly-pages"]?.up(db);

  const rows = await db.selectFrom("run").selectAll().where("id", "in", [id, whole]).execute();
  expect(new Map(rows.map((row) => [row.id, toRun(row).stats.partlyPages]))).toEqual(new Map([[id, partly.length], [whole, 0]]));
  expect(stats.partlyPages).toBe(partly.length);
});

test(
  "several processes can start at once on a new database",
  { timeout: 20_000 },
  async () => {
    const file = freshDatabaseFile();
    const start = () => run(process.execPath, ["--import", "tsx", migrateProcess, file]);
    await Promise.all([start(), start(), start(), start()]);
    const db = openSqlite(file);
    onTestFinished(() => db.destroy());
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations));
  },
);

test("no other process writes between the reads and writes of a transaction", async () => {
  const file = freshDatabaseFile();
  const db = openSqlite(file);
  onTestFinished(() => db.destroy());
  await migrate(db);
  const other = new SQLite(file, { timeout: 0 });
  onTestFinished(() => void other.close());
  const write = "delete from job";
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom("job").selectAll().execute();
    expect(() => other.exec(write)).toThrow("locked");
    await sql.raw(write).execute(trx);
  });
  other.exec(write);
});

test("a failed migration is rolled back and stops the start", async () => {
  const db = openSqlite(freshDatabaseFile());
  onTestFinished(() => db.destroy());
  const broken = "9999-broken";
  migrations[broken] = {
    async up(trx) {
      await trx.schema.createTable("half").addColumn("id", "integer").execute();
      throw new Error("no space left");
    },
  };
  onTestFinished(() => void delete migrations[broken]);
  await expect(migrate(db)).rejects.toThrow("no space left");
  expect((await db.introspection.getTables()).map(({ name }) => name)).toEqual([]);
});

test("the space of runs that are deleted is returned to the file system", async () => {
  const db = await freshDatabase();
  const heavy = checkedPage({ title: "long ".repeat(2_000) });
  for (let count = 0; count < 30; count += 1) await finishedRun(db, [heavy]);
  const pages = async () => {
    const { rows } = await sql<{ all: number; free: number }>`select page_count as "all", freelist_count as free from pragma_page_count, pragma_freelist_count`.execute(db);
    return rows[0] ?? { all: 0, free: 0 };
  };
  const before = await pages();
  expect(await createRetention({ db }).deleteExpired(Date.now())).toBe(30);
  const after = await pages();
  expect(after.free).toBe(0);
  expect(after.all).toBeLessThan(before.all);
});

test("a database of a newer version is refused", async () => {
  const db = await freshDatabase();
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2099-01-01T00:00:00.000Z')`.execute(
    db,
  );
  await expect(migrate(db)).rejects.toThrow("9999-later");
});

/** The database, and SQLite's plan of every query. */
function explained(db: Db): { db: Db; plans: () => Promise<string[]> } {
  const queries: CompiledQuery[] = [];
  const spy: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const explain = async ({ sql, parameters }: CompiledQuery) => {
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    );
    return rows.map(({ detail }) => detail).join("; ");
  };
  return { db: db.withPlugin(spy), plans: () => Promise.all(queries.map(explain)) };
}

test("the list of runs is read in order from an index, without sorting", async () => {
  const { db, plans } = explained(await freshDatabase());
  const queue = createDatabaseQueue({ db });
  const runs = createRuns({ db, box: testBox, queues: { page: queue, site: queue }, retentionDays: 1 });
  const lists = createRunLists({ db, runs });
  await lists.list("me", { limit: 20 });
  await lists.list("me", { before: "5.a", text: "shop", status: "failed", limit: 20 });
  expect(await plans()).toEqual([
    "SEARCH run USING COVERING INDEX run_list (owner=?)",
    "SEARCH run USING COVERING INDEX run_list (owner=? AND (created_at,id)<(?,?))",
  ]);
});

test("the scans of all accounts are listed and counted from indexes", async () => {
  const { db, plans } = explained(await freshDatabase());
  const overview = createQueueOverview({ db, runs: { queuePosition: async () => null, isHeldBack: async () => false, cancelAnyones: async () => false } as never });
  await overview.list({ state: "all", text: "", limit: 20 });
  await overview.list({ state: "all", text: "shop", before: "5.a", limit: 20 });
  await overview.list({ state: "failed", text: "", limit: 20 });
  await overview.list({ state: "under_way", text: "", limit: 20 });
  await overview.counts();
  expect(await plans()).toEqual([
    "SCAN run USING COVERING INDEX run_all",
    "SEARCH run USING COVERING INDEX run_all ((created_at,id)<(?,?))",
    "SEARCH run USING COVERING INDEX run_status (status=?)",
    "SEARCH run USING COVERING INDEX run_status (status=?); USE TEMP B-TREE FOR ORDER BY",
    ...Array.from({ length: 3 }, () => expect.stringContaining("SEARCH run USING COVERING INDEX run_status (status=?") as string),
  ]);
});

test("accepted findings of a website are found by its addresses, not among all of the account", async () => {
  const { db, plans } = explained(await freshDatabase());
  const acceptances = createAcceptances({ db });
  await acceptances.ofWebsite("me", { url: "https://shop.example/" });
  await acceptances.readerOf({ owner: "me", url: "https://shop.example/" });
  const byOrigin = expect.stringContaining("SEARCH acceptance USING INDEX acceptance_website (owner=? AND origin=?)") as string;
  expect(await plans()).toEqual([byOrigin, byOrigin]);
});

test("statistics are read from an index, not from the table", async () => {
  const { db, plans } = explained(await freshDatabase());
  await createStatistics({ db }).read();
  expect((await plans()).at(-1)).toContain("USING COVERING INDEX run_statistics (finished_at>?)");
});

test("the queue does not read finished jobs when it looks for work", async () => {
  const { db, plans } = explained(await freshDatabase());
  const queue = createDatabaseQueue({ db, pollMs: 3_600_000 });
  await queue.work(
    { work: async () => async () => {}, putBack: async () => {}, giveUp: async () => {} },
    { concurrency: 1 },
  );
  await queue.stop({ graceMs: 0 });
  const [abandoned, claim] = await plans();
  expect(abandoned).toContain("USING INDEX job_running");
  expect(claim).toContain("USING INDEX job_waiting (queue=?)");
  expect(claim).not.toContain("TEMP B-TREE");
});
