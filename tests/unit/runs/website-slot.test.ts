import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createScanRequests } from "~/runs/scan-request.server";
import { createPurchases, type PurchaseModel } from "~/billing/purchase.server";
import type { Runs } from "~/runs/run.server";
import { openPage } from "~/runs/page.server";
import { addResult } from "~/runs/run-sums.server";
import type { PageResult } from "~/scan/types";
import { payment, subscription } from "../../support/billing/bought";
import { freshDatabase } from "../../support/database/database";
import { addUsers, runsOf } from "../../support/database/finished-runs";
import { checkedPage, ENGINES, uncheckedPage } from "../../support/database/page-results";

const SHOP = "https://shop.example/";
let db: Db;
let runs: Runs;
let purchases: PurchaseModel;
let time = 0;

beforeEach(async () => {
  time = 1_000;
  db = await freshDatabase();
  runs = runsOf(db, () => time);
  purchases = createPurchases({ db });
  await addUsers(db, "ada", "eve");
  for (const [id, name] of [["ada", "sub_1"], ["eve", "sub_2"]] as const) {
    await purchases.store(id, { subscriptions: [subscription({ id: name, urlLimit: 2 })], payments: [] });
  }
});

const origins = async (owner = "ada") => (await purchases.of(owner)).flatMap(({ urls }) => urls.map(({ origin }) => `${origin}/`));
const checked = (url = SHOP) => checkedPage({ url });
const failed = (url = SHOP) => uncheckedPage({ url, reason: "dns" });

/** Requests a scan like the form. @returns the run's id */
async function order(url = SHOP, owner = "ada"): Promise<string> {
  const submitted = await createScanRequests({ db, runs, purchases, open: false, trialScans: 0 }).submit(owner, { url, scope: "site", level: "AA" });
  if (submitted.kind === "refused") throw new Error(submitted.why);
  return submitted.run.id;
}

async function finish(id: string, ...results: PageResult[]): Promise<void> {
  time += 1;
  await db.transaction().execute(async (trx) => {
    for (const result of results) {
      await openPage(trx, id, result.url);
      await addResult(trx, id, result, ENGINES);
    }
    await runs.conclude(trx, id);
  });
}

describe("a website whose first scan failed uses no slot of the plan", () => {
  test("the slot is free again, the provider is informed, and another website may use it", async () => {
    const id = await order();
    expect(await origins()).toEqual([SHOP]);
    await finish(id, failed());
    expect(await origins()).toEqual([]);
    expect(await purchases.hasFreedSlot(id)).toBe(true);
    expect(await purchases.unwritten()).toMatchObject([{ id: "sub_1", urls: [] }]);
    for (const name of ["one", "two"]) await order(`https://${name}.example/`);
    expect(await origins()).toHaveLength(2);
  });

  test("also after a one-time payment, and after a crashed scan", async () => {
    await purchases.store("ada", { subscriptions: [], payments: [payment()] });
    const id = await order();
    await db.transaction().execute((trx) => runs.fail(trx, id, "crashed"));
    expect(await origins()).toEqual([]);
  });

  test("it does not count as a removal: another website can still be removed in this period", async () => {
    await finish(await order(), failed());
    await finish(await order("https://one.example/"), checked("https://one.example/"));
    const [{ id = 0 } = {}] = (await purchases.of("ada")).flatMap(({ urls }) => urls);
    expect(await purchases.removalOf("ada", id)).toMatchObject({ origin: "https://one.example", verdict: "possible" });
    expect(await purchases.remove("ada", id)).toBe("removed");
  });

  test("as often as it is tried, until a scan succeeds; then the failed one no longer says so", async () => {
    const first = await order();
    await finish(first, failed());
    await finish(await order(), failed());
    expect(await origins()).toEqual([]);
    await finish(await order(), checked());
    expect(await origins()).toEqual([SHOP]);
    expect(await purchases.hasFreedSlot(first)).toBe(false);
  });

  test("not while another scan of it may still succeed", async () => {
    const [first, second] = [await order(), await order(`${SHOP}deep`)];
    await finish(first, failed());
    expect(await origins()).toEqual([SHOP]);
    await finish(second, checked(`${SHOP}deep`));
    expect(await origins()).toEqual([SHOP]);
  });
});

describe("a website that was checked keeps its slot when a later scan fails", () => {
  test("also if only some of its pages could be checked", async () => {
    await finish(await order(), failed(), checked(`${SHOP}deep`));
    await finish(await order(), failed());
    expect(await origins()).toEqual([SHOP]);
  });

  test("also if the successful scan was finally deleted", async () => {
    const id = await order();
    await finish(id, checked());
    await db.deleteFrom("run").where("id", "=", id).execute();
    await finish(await order(), failed());
    expect(await origins()).toEqual([SHOP]);
  });

  test("also if it was checked before its registration", async () => {
    const { id } = await runs.start({ url: SHOP, scope: "site", standard: { version: "2.2", level: "AA" }, owner: "ada" });
    await finish(id, checked());
    await purchases.register("ada", SHOP);
    await db.deleteFrom("run").where("id", "=", id).execute();
    await finish(await order(), failed());
    expect(await origins()).toEqual([SHOP]);
  });

  test("also if the scan was canceled after it had results", async () => {
    const id = await order();
    await db.transaction().execute(async (trx) => {
      await openPage(trx, id, SHOP);
      await addResult(trx, id, checked(), ENGINES);
    });
    await runs.cancel(id, "ada");
    await db.deleteFrom("run").where("id", "=", id).execute();
    await finish(await order(), failed());
    expect(await origins()).toEqual([SHOP]);
  });
});

test("another user's website, one with a similar name, and a canceled scan change nothing", async () => {
  await purchases.register("eve", SHOP);
  await purchases.register("ada", `${SHOP.slice(0, -1)}.test/`);
  await finish(await order(), failed());
  expect(await origins("eve")).toEqual([SHOP]);
  expect(await origins()).toEqual(["https://shop.example.test/"]);
  await runs.cancel(await order(), "ada");
  expect(await origins()).toContain(SHOP);
});

test("before removing a website, the user learns which reports stay, and whether it stays covered", async () => {
  const scanRequests = createScanRequests({ db, runs, purchases, open: false, trialScans: 0 });
  await finish(await order(), checked());
  await finish(await order(), failed());
  const [{ id = 0 } = {}] = (await purchases.of("ada")).flatMap(({ urls }) => urls);
  expect(await scanRequests.afterRemoval("ada", { id, origin: SHOP.slice(0, -1) })).toEqual({ reports: 1, covered: false });
  const run = await db.selectFrom("run").select(["url", "created_at as createdAt"]).where("status", "=", "succeeded").executeTakeFirstOrThrow();
  await purchases.remove("ada", id, time + 1);
  expect(await scanRequests.isUnlocked("ada", run)).toBe(true);
});
