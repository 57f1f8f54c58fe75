import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createPurchases } from "~/billing/purchase.server";
import { writeLetter } from "~/mail/letters.server";
import { createFinishedMails } from "~/monitoring/finished-mails.server";
import { createHistories } from "~/monitoring/history.server";
import { createSchedules } from "~/monitoring/schedule.server";
import { checkNow } from "~/monitoring/websites/check-now.server";
import { createWebsites } from "~/monitoring/websites/websites.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createFulfilments } from "~/runs/fulfilment.server";
import { createScanRequests } from "~/runs/scan-request.server";
import { freshDatabase, testBox } from "../../support/database/database";
import { addUsers, finishedRun, runsOf, type FinishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";

const SHOP = "https://shop.example/";
const ACCESS = { kind: "basic", user: "guest", password: "open sesame" } as const;

let db: Db;

beforeEach(async () => {
  db = await freshDatabase();
  await addUsers(db, "ada");
});

/** @param secret secret of this start of the server */
function servicesWith(secret = "a secret of the tests") {
  const runs = runsOf(db);
  const purchases = createPurchases({ db });
  const scanRequests = createScanRequests({ db, runs, purchases, open: true, trialScans: 0 });
  const around = { mails: { post: async () => {} }, write: writeLetter, baseUrl: "https://rampe.example" };
  const schedules = createSchedules({ db, purchases, scanRequests, ...around, open: true, histories: createHistories({ db }), box: createSecretBox([secret]) });
  return { runs, schedules, scanRequests, websites: createWebsites({ db, purchases, open: true }), finishedMails: createFinishedMails({ db, box: testBox, ...around }) };
}

const scanned = (more: FinishedRun = {}) => finishedRun(db, [checkedPage({ url: SHOP })], { url: SHOP, ...more });
const started = () => db.selectFrom("run").selectAll().where("status", "=", "queued").execute();

async function check(services = servicesWith()) {
  const website = await services.websites.find("ada", "https://shop.example");
  if (!website) throw new Error("There is no such website.");
  return checkNow(services, "ada", website);
}

describe("a website that is not public, checked now", () => {
  test("is checked with the access that its schedule has stored", async () => {
    await servicesWith().schedules.set("ada", await scanned(), { every: "week", mails: true, access: ACCESS });
    expect(await check()).toMatchObject({ kind: "started" });
    expect(await started()).toMatchObject([{ access: expect.any(String) }]);
  });

  test("is not checked when that access can no longer be read, until it is deleted", async () => {
    const run = await scanned();
    await servicesWith().schedules.set("ada", run, { every: "week", mails: true, access: ACCESS });
    const afterLoss = servicesWith("another secret");
    expect(await check(afterLoss)).toEqual({ kind: "refused", why: "access_lost" });
    expect(await started()).toEqual([]);
    await afterLoss.schedules.set("ada", run, { every: "week", mails: true, access: null });
    expect(await check(afterLoss)).toMatchObject({ kind: "started" });
    expect(await started()).toMatchObject([{ access: null }]);
  });

  test("does not take the access of a schedule for a single page", async () => {
    const page = await scanned({ scope: "page", at: 500 });
    await servicesWith().schedules.set("ada", page, { every: "week", mails: true, access: ACCESS });
    await scanned();
    expect(await check(servicesWith("another secret"))).toMatchObject({ kind: "started" });
    expect(await started()).toMatchObject([{ scope: "site", access: null }]);
  });
});

describe("the mail about a website that is checked now", () => {
  const wanted = async () => (await started()).map(({ mail_when_done }) => mail_when_done);

  test.each<[string, FinishedRun, wish: 0 | 1 | 2]>([
    ["comes by default", {}, 1],
    ["comes if the last scan had one", { mailWhenDone: true }, 1],
    ["does not come if it was declined for the last scan", { mailWhenDone: false }, 2],
    ["does not come for a single page", { scope: "page" }, 0],
  ])("%s", async (_what, last, wish) => {
    await scanned(last);
    await servicesWith().finishedMails.tick();
    await check();
    expect(await wanted()).toEqual([wish]);
  });

  test("does not come to who unsubscribed from these mails, which declines no later one", async () => {
    await scanned();
    await db.updateTable("user").set({ mails_when_done: 0 }).execute();
    await check();
    expect(await wanted()).toEqual([0]);
  });
});

describe("the scan after a purchase of a website that is not public", () => {
  const buy = (secret?: string) => {
    const { runs, scanRequests, schedules } = servicesWith(secret);
    const fulfilments = createFulfilments({ db, runs, scanRequests, mailWish: async () => false, storedAccess: schedules.accessOf });
    return fulfilments.fulfil("ada", { url: SHOP, checkId: null, since: Date.now() });
  };

  beforeEach(async () => {
    await servicesWith().schedules.set("ada", await scanned(), { every: "week", mails: true, access: ACCESS });
  });

  test("has the access that its schedule has stored", async () => {
    expect(await buy()).toEqual({ scanId: expect.any(String) });
    expect(await started()).toMatchObject([{ access: expect.any(String) }]);
  });

  test("does not start when that access can no longer be read", async () => {
    expect(await buy("another secret")).toEqual({ scanId: null, why: "access_lost" });
    expect(await started()).toEqual([]);
  });
});
