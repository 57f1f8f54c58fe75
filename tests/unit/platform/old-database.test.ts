// Older installations have SQLite files.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import SQLite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "db/migrate.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { createFindings } from "~/findings/finding.server";
import { createHistories } from "~/monitoring/history.server";
import { createExports } from "~/reports/exports/export.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import { createReviews } from "~/reports/review/review.server";
import { createPages } from "~/runs/page.server";
import type { Run } from "~/runs/run";
import type { PageResult } from "~/scan/types";
import { freshDatabaseFile } from "../../support/database/database";
import { finishedRun, runsOf } from "../../support/database/finished-runs";

/**
 * Database of a real scan (26 migrations, November 2026): a user, a run of three pages, one of them not found, and a
 * person's answer. Made with `sqlite3 rampe.db .dump`.
 */
const OLD = readFileSync(fileURLToPath(new URL("../../support/database/old-database.sql", import.meta.url)), "utf8");
const RUN = "ht4_7fhZMWo6Sr7ky5L1hQ";
const ALL = { state: "all", offset: 0, limit: 10 } as const;

async function opened(): Promise<{ db: Db; run: Run; pages: PageResult[] }> {
  const file = freshDatabaseFile();
  const raw = new SQLite(file);
  raw.exec(OLD);
  raw.close();
  const db = openSqlite(file);
  onTestFinished(() => db.destroy());
  await migrate(db);
  const run = (await runsOf(db).ofOwner(RUN, "ada")) as Run;
  const reportEntitlements = { withheld: async () => NOTHING_WITHHELD };
  const sources = { pages: createPages({ db }), findings: createFindings({ db }), reviews: createReviews({ db }), criterionReviews: createCriterionReviews({ db }), reportEntitlements };
  const pages: PageResult[] = [];
  for await (const page of createExports({ ...sources, product: "Rampe", baseUrl: "https://rampe.example" }).pages(run)) pages.push(page);
  return { db, run, pages };
}

test("a run of an older version is read as it was stored", async () => {
  const { run, pages } = await opened();
  expect(run).toMatchObject({ engines: [{ name: "axe-core", version: "4.14.1" }], stats: { pages: 3, failedPages: 1, elements: 30 } });
  const elements = pages.flatMap((page) => (page.status === "failed" ? [] : page.findings.violations.flatMap((finding) => finding.elements)));
  expect(elements).toHaveLength(30);
  for (const { html, checks } of elements) expect([html[0], checks.length > 0]).toEqual(["<", true]);
});

test("the first scan after the update reports nothing as new", async () => {
  const { db, run, pages } = await opened();
  const next = await finishedRun(db, pages, { owner: "ada", url: run.url, at: Date.UTC(2026, 11, 1) });
  const { totals } = await createHistories({ db }).compare(run, next);
  expect(totals).toEqual({ new: 0, engine: 0, persisting: 30, fixed: 0, not_checked_after: 0, not_checked_before: 0 });
});

test("a person's answer still holds, in its run and in the next one", async () => {
  const { db, run, pages } = await opened();
  const next = await finishedRun(db, pages, { owner: "ada", url: run.url, at: Date.UTC(2026, 11, 1) });
  for (const each of [run, next]) {
    const { groups } = await createReviews({ db }).groups("ada", each, ALL);
    expect(groups).toMatchObject([{ rule: { ruleId: "color-contrast" }, isAnswered: true, review: { answer: "no_problem", reason: "dark enough" } }]);
  }
});
