import { beforeEach, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createRunLists } from "~/runs/list.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { createReports } from "~/reports/report.server";
import { failedRun, lockedReport, overviewOf, progressOf } from "~/reports/overview.server";
import { createPages } from "~/runs/page.server";
import { runRows } from "~/reports/run-rows.server";
import type { Run } from "~/runs/run";
import { createRuns, type Runs } from "~/runs/run.server";
import type { Access } from "~/scan/types";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { freshDatabase, testBox } from "../../support/database/database";
import { checkedPage, ENGINES, uncheckedPage } from "../../support/database/page-results";
import { WCAG22AA } from "../../support/scan/scanner";

const SHOP = "https://staging.example/";
const BASIC: Access = { kind: "basic", user: "preview-user", password: "preview-password" };
const COOKIE: Access = { kind: "cookie", cookie: "preview=cookie-value" };
const SECRETS = /preview-user|preview-password|cookie-value/;

let db: Db;
let runs: Runs;

const noQueue = { enqueue: async () => "", position: async () => null, isHeldBack: async () => false, waiting: async () => 0, cancel: async () => {} };
const runsSealedBy = (box = testBox) => createRuns({ db, box, queues: { page: noQueue, site: noQueue }, retentionDays: 365 });

beforeEach(async () => {
  db = await freshDatabase();
  runs = runsSealedBy();
});

const start = (access: Access = BASIC) => runs.start({ url: SHOP, scope: "page", standard: WCAG22AA, owner: "ada", access });
const stored = async () => (await db.selectFrom("run").select("access").executeTakeFirstOrThrow()).access;
const everything = async () => JSON.stringify(await Promise.all([db.selectFrom("run").selectAll().execute(), db.selectFrom("job").selectAll().execute()]));

test.each([BASIC, COOKIE])("credentials of a protected site ($kind) are encrypted, and given to the scanner only", async (access) => {
  const { id } = await start(access);
  expect(await stored()).toEqual(expect.any(String));
  expect(await everything()).not.toMatch(SECRETS);
  expect((await runs.begin(id))?.access).toEqual({ ...access, origin: "https://staging.example" });
});

test.each(["page", "site"] as const)("credentials cannot be read with another secret: the scan of a %s fails, as its sign-in would be checked instead", async (scope) => {
  const { id } = await runs.start({ url: SHOP, scope, standard: WCAG22AA, owner: "ada", access: BASIC });
  const others = runsSealedBy(createSecretBox(["a secret of somebody else, long enough"]));
  expect(await (scope === "page" ? others.begin(id) : others.resume(id))).toBeUndefined();
  expect(await db.selectFrom("run").select(["status", "reason", "access", "failed_pages"]).executeTakeFirst()).toEqual({ status: "failed", reason: "login_required", access: null, failed_pages: scope === "page" ? 1 : 0 });
});

test.each<[string, (run: Run) => Promise<unknown>]>([
  ["succeeded", ({ id }) => db.transaction().execute((trx) => runs.finish(trx, id, checkedPage({ url: SHOP }), ENGINES))],
  ["found nothing to check", ({ id }) => db.transaction().execute((trx) => runs.finish(trx, id, uncheckedPage({ url: SHOP }), ENGINES))],
  ["failed", ({ id }) => db.transaction().execute((trx) => runs.fail(trx, id, "crashed"))],
  ["was canceled", ({ id }) => runs.cancel(id, "ada")],
  ["was deleted", ({ id }) => createRunLists({ db, runs }).remove("ada", [id])],
])("credentials are deleted as soon as the run %s", async (_how, end) => {
  const run = await start();
  await runs.begin(run.id);
  expect(await stored()).not.toBeNull();
  await end(run);
  expect(await stored()).toBeNull();
});

test("credentials stay while a run waits again after its worker died", async () => {
  const { id } = await start();
  await runs.begin(id);
  await db.transaction().execute((trx) => runs.requeue(trx, id));
  expect((await runs.begin(id))?.access).toMatchObject(BASIC);
});

test("no page of the application receives any of it, not even encrypted", async () => {
  const started = await start();
  const sealed = (await stored()) ?? "";
  const readers = { pages: createPages({ db }), reports: createReports({ db }) };
  const env = { SCAN_PAGE_SECONDS: 30, SCAN_USER_AGENT: "Rampe" };
  const lists = createRunLists({ db, runs });
  const views = async () => {
    const run = (await runs.ofOwner(started.id, "ada")) as Run;
    const rules = await readers.reports.rules(run.id);
    return JSON.stringify([
      ...[started, run, await runs.find(run.id, "ada"), ...(await runRows([run], readers.pages)), await lists.list("ada", { limit: 9 })],
      await lists.byIds("ada", [run.id]),
      await progressOf({ runs, env }, run),
      await failedRun({ ...readers, env }, run),
      await lockedReport(readers, run, rules, "de", NOTHING_WITHHELD),
      await overviewOf(readers, run, rules, "de", NOTHING_WITHHELD),
    ]);
  };
  for (const step of [() => runs.begin(started.id), () => db.transaction().execute((trx) => runs.finish(trx, started.id, checkedPage({ url: SHOP }), ENGINES))]) {
    const text = await views();
    expect(text).not.toMatch(SECRETS);
    expect(text).not.toContain(sealed);
    await step();
  }
  expect(await views()).not.toMatch(SECRETS);
});
