import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import type { ProviderPayment, ProviderSubscription } from "~/billing/provider";
import type { PlanKey } from "~/billing/plans/plans";
import { createScanRequests, type ScanAnswer, type ScanRequest } from "~/runs/scan-request.server";
import { createPurchases, type PurchaseModel } from "~/billing/purchase.server";
import { createRetention } from "~/runs/retention.server";
import { createRunLists } from "~/runs/list.server";
import type { Runs } from "~/runs/run.server";
import { payment, subscription } from "../support/bought";
import { freshDatabase } from "../support/database";
import { addUsers, runsOf } from "../support/finished-runs";

const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;

let db: Db;
let runs: Runs;
let purchases: PurchaseModel;

beforeEach(async () => {
  db = await freshDatabase();
  runs = runsOf(db);
  purchases = createPurchases({ db });
  await addUsers(db, "ada", "eve");
});

const ordersOf = ({ trialScans = 0, open = false } = {}) => createScanRequests({ db, runs, purchases, open, trialScans });
const bought = (subscriptions: ProviderSubscription[], payments: ProviderPayment[] = []) =>
  purchases.store("ada", { subscriptions, payments });
const site = (name: string | number) => `https://${name}.example/`;
const wish = (more: Partial<ScanRequest> = {}): ScanRequest => ({ url: site("shop"), scope: "site", level: "AA", ...more });
const page = (name: string | number) => wish({ url: site(name), scope: "page" });
const basic = (more: Partial<ProviderSubscription> = {}) => subscription({ plan: "basic", urlLimit: 1, ...more });

const started = (placed: ScanAnswer) => {
  if (placed.kind === "refused") throw new Error(placed.why);
  return placed.run;
};
const outcome = (placed: ScanAnswer) => (placed.kind === "refused" ? placed.why : placed.kind);
const runCount = async () => (await db.selectFrom("run").select("id").execute()).length;
const registered = async () => (await purchases.of("ada")).flatMap(({ urls }) => urls.map(({ origin }) => `${origin}/`));

describe("what is not covered is refused before anything is scanned or counted", () => {
  test.each<[string, { trialScans?: number; bought?: ProviderSubscription[] }, Partial<ScanRequest>, string]>([
    ["by somebody who has bought nothing", {}, {}, "nothing_bought"],
    ["where all URLs are used", { bought: [basic({ urls: [site("taken")] })] }, {}, "full"],
    ["of a level that no plan for it includes", { bought: [subscription()] }, { level: "AAA" }, "level"],
    ["of such a level, for a website that is covered", { bought: [basic({ urls: [site("shop")] })] }, { level: "AAA" }, "level"],
    ["of a whole website by a trial", { trialScans: 1 }, {}, "site_is_paid"],
    ["of level AAA by a trial", { trialScans: 1 }, { scope: "page", level: "AAA" }, "level"],
    ["with what was bought and has ended", { bought: [subscription({ status: "canceled" })] }, {}, "nothing_bought"],
  ])("a scan %s", async (_what, { bought: subscriptions = [], trialScans }, more, why) => {
    await bought(subscriptions);
    const before = await registered();
    expect(await ordersOf({ trialScans }).place("ada", wish(more))).toEqual({ kind: "refused", why });
    expect(await runCount()).toBe(0);
    expect(await registered()).toEqual(before);
    expect((await ordersOf({ trialScans: 5 }).allowance("ada")).trial.used).toBe(0);
  });

  test("a scan by a trial that is used up; with a full plan it is the plan that is full", async () => {
    const orders = ordersOf({ trialScans: 1 });
    expect(outcome(await orders.place("ada", page("one")))).toBe("started");
    expect(outcome(await orders.place("ada", page("two")))).toBe("trial_used");
    await bought([basic({ urls: [site("taken")] })]);
    expect(outcome(await orders.place("ada", page("two")))).toBe("full");
    expect(await runCount()).toBe(1);
  });
});

describe("a scan that is placed", () => {
  test.each<[PlanKey, "2.1" | "2.2", ScanRequest["level"]]>([
    ["basic", "2.1", "AA"],
    ["pro", "2.2", "AA"],
    ["enterprise", "2.2", "AAA"],
  ])("is held against WCAG 2.2, includes in full what %s does, whatever its name, and registers its website once", async (plan, fullVersion, level) => {
    await bought([subscription({ plan, planName: "Enterprise? Pro? Basic? An offer by sales" })]);
    const orders = ordersOf();
    expect(await orders.place("ada", wish({ level }))).toMatchObject({ kind: "started", registered: true, run: { standard: { version: "2.2", level }, fullVersion } });
    const again = await orders.place("ada", wish({ url: `${site("shop")}deep?x=1`, level: "A" }));
    expect(again).toMatchObject({ kind: "started", registered: false, run: { standard: { version: "2.2", level: "A" }, fullVersion } });
    expect(await registered()).toEqual([site("shop")]);
  });

  test("is held against the largest plan that covers its website", async () => {
    await bought([basic({ urls: [site("shop")] })], [payment({ plan: "pro", urls: [site("shop")] })]);
    expect(started(await ordersOf().place("ada", wish())).fullVersion).toBe("2.2");
  });

  test("of a level that what covers its website does not include, is taken up by what does and has room", async () => {
    await bought([subscription({ plan: "enterprise", urlLimit: null })], [payment({ plan: "basic", urls: [site("shop")] })]);
    const placed = await ordersOf().place("ada", wish({ level: "AAA" }));
    expect(placed).toMatchObject({ kind: "started", registered: true, run: { standard: { level: "AAA" }, fullVersion: "2.2" } });
  });

  test("is the order as it was given, its owner's alone", async () => {
    await bought([subscription()]);
    const run = started(await ordersOf().place("ada", wish({ maxPages: 7, leftOut: ["/archive/"] })));
    expect(run).toMatchObject({ owner: "ada", url: site("shop"), scope: "site", status: "queued", maxPages: 7, leftOut: ["/archive/"] });
    expect(await runs.ofOwner(run.id, "eve")).toBeUndefined();
  });

  test("counts once, however many are placed at once: no plan covers more websites than it says", async () => {
    await bought([subscription()]);
    const orders = ordersOf();
    const placed = await Promise.all(Array.from({ length: 20 }, (_, index) => orders.place("ada", wish({ url: site(index) }))));
    expect(placed.filter(({ kind }) => kind === "started")).toHaveLength(5);
    expect(new Set(placed.filter(({ kind }) => kind === "refused").map(outcome))).toEqual(new Set(["full"]));
    expect(await registered()).toHaveLength(5);
    expect(await runCount()).toBe(5);
  });
});

describe("trial scans", () => {
  test("are for everybody who is signed in, and as many as there are, however many ask at once", async () => {
    const orders = ordersOf({ trialScans: 3 });
    const placed = await Promise.all(Array.from({ length: 20 }, (_, index) => orders.place("ada", page(index))));
    expect(placed.filter(({ kind }) => kind === "started")).toHaveLength(3);
    expect(new Set(placed.filter(({ kind }) => kind === "refused").map(outcome))).toEqual(new Set(["trial_used"]));
    expect(await runCount()).toBe(3);
    expect((await orders.allowance("ada")).trial).toEqual({ used: 3, limit: 3 });
    expect(outcome(await orders.place("eve", page("hers")))).toBe("started");
  });

  test("stay used when their runs are deleted, also for good", async () => {
    const orders = ordersOf({ trialScans: 1 });
    const { id } = started(await orders.place("ada", page("one")));
    await createRunLists({ db, runs }).remove("ada", [id]);
    expect(outcome(await orders.place("ada", page("two")))).toBe("trial_used");
    await createRetention({ db }).deleteExpired(Date.now() + YEAR_MS);
    expect(await runCount()).toBe(0);
    expect(outcome(await orders.place("ada", page("two")))).toBe("trial_used");
  });

  test("go on where a plan is full, and are not touched where it is not", async () => {
    const orders = ordersOf({ trialScans: 1 });
    await bought([basic()]);
    expect(await orders.place("ada", page("one"))).toMatchObject({ kind: "started", registered: true });
    expect((await orders.allowance("ada")).trial.used).toBe(0);
    expect(await orders.place("ada", page("two"))).toMatchObject({ kind: "started", registered: false, run: { standard: { version: "2.2", level: "AA" } } });
    expect((await orders.allowance("ada")).trial.used).toBe(1);
  });
});

describe("the full report", () => {
  const before = { url: `${site("shop")}page`, createdAt: Date.now() - 1 };
  const afterwards = () => ({ url: before.url, createdAt: Date.now() + 1 });
  const run = before;

  test("of a trial is locked until its website is registered, and open from then on", async () => {
    const orders = ordersOf({ trialScans: 1 });
    expect(await orders.isUnlocked("ada", run)).toBe(false);
    expect(await orders.unlock("ada", run)).toBe(false);
    await bought([basic()]);
    expect(await orders.isUnlocked("ada", run)).toBe(false);
    expect(await orders.unlock("ada", run)).toBe(true);
    expect(await orders.isUnlocked("ada", run)).toBe(true);
    expect(await orders.isUnlocked("ada", { ...run, url: "http://shop.example/" })).toBe(false);
    expect(await orders.isUnlocked("eve", run)).toBe(false);
  });

  test("is open for a website that was registered with the purchase, as it is when the browser never returns", async () => {
    await bought([], [payment({ urls: [run.url] })]);
    expect(await ordersOf().isUnlocked("ada", run)).toBe(true);
  });

  test.each<[string, ProviderSubscription[]]>([
    ["a subscription has ended", [basic({ status: "canceled" })]],
    ["a subscription is not charged for the time being", [basic({ paused: true })]],
    ["its provider does not know the subscription any more", []],
  ])("stays open when %s; what is scanned afterwards is locked until the next purchase", async (_what, subscriptions) => {
    const orders = ordersOf();
    await bought([basic({ urls: [run.url] })]);
    await bought(subscriptions);
    expect([await orders.isUnlocked("ada", run), await orders.isUnlocked("ada", afterwards())]).toEqual([true, false]);
    expect(outcome(await orders.place("ada", wish({ url: run.url })))).toBe("nothing_bought");
    await bought([...subscriptions, subscription({ id: "sub_2" })]);
    expect(await orders.unlock("ada", run)).toBe(true);
    expect(await orders.isUnlocked("ada", afterwards())).toBe(true);
  });

  test("of a one-time payment stays open when its 30 days are over, and new scans need a plan from then on", async () => {
    const orders = ordersOf();
    const last = { urls: [run.url], paidAt: Date.now() - 30 * DAY_MS + 5_000 };
    await bought([], [payment(last)]);
    expect(outcome(await orders.place("ada", wish({ url: run.url })))).toBe("started");
    await bought([], [payment({ ...last, id: "pi_2", paidAt: last.paidAt - 5_000 })]);
    expect(outcome(await orders.place("ada", wish({ url: run.url })))).toBe("nothing_bought");
    const at = (createdAt: number) => orders.isUnlocked("ada", { ...run, createdAt });
    expect([await at(Date.now() - DAY_MS), await at(Date.now() + DAY_MS)]).toEqual([true, false]);
  });

  test.each<[string, Partial<ProviderPayment>]>([
    ["was given back", { refunded: "fully" }],
    ["is disputed", { disputed: true }],
  ])("is locked when a payment %s, and open again with the next purchase", async (_what, more) => {
    const orders = ordersOf();
    await bought([], [payment({ urls: [run.url] })]);
    expect(await orders.isUnlocked("ada", run)).toBe(true);
    await bought([], [payment(more)]);
    expect(await orders.isUnlocked("ada", run)).toBe(false);
    await bought([subscription({ id: "sub_2" })], [payment(more)]);
    expect(await orders.unlock("ada", run)).toBe(true);
    expect(await orders.isUnlocked("ada", run)).toBe(true);
  });

  test("stays open when its website is removed from the plan; what is scanned afterwards is locked", async () => {
    const orders = ordersOf();
    await bought([subscription({ urls: [run.url] })]);
    const [{ urls: [{ id } = { id: 0 }] } = { urls: [] }] = await purchases.of("ada");
    expect(await purchases.remove("ada", id)).toBe("removed");
    expect([await orders.isUnlocked("ada", run), await orders.isUnlocked("ada", afterwards())]).toEqual([true, false]);
  });

  test("that a smaller plan does not cover any more stays open; what is scanned afterwards opens where another purchase has room", async () => {
    const orders = ordersOf();
    await bought([subscription({ urls: [site("first"), run.url] })]);
    await bought([basic()]);
    expect([await orders.isUnlocked("ada", run), await orders.isUnlocked("ada", afterwards())]).toEqual([true, false]);
    expect(await orders.unlock("ada", run)).toBe(false);
    await bought([basic(), basic({ id: "sub_2", createdAt: 3_000 })]);
    expect(outcome(await orders.place("ada", wish({ url: run.url })))).toBe("started");
    expect(await orders.isUnlocked("ada", afterwards())).toBe(true);
  });
});

describe("before an order", () => {
  test("it is said what it would count against", async () => {
    const orders = ordersOf({ trialScans: 2 });
    expect(await orders.allowance("ada")).toEqual({ open: false, covered: [], room: 0, usage: [], level: "AA", trial: { used: 0, limit: 2 } });
    await bought([subscription({ urls: [site("shop"), site("blog")] })]);
    expect(await orders.allowance("ada")).toMatchObject({ covered: ["https://shop.example", "https://blog.example"], room: 3, level: "AA" });
    await bought([subscription({ plan: "enterprise", urlLimit: null })]);
    expect(await orders.allowance("ada")).toMatchObject({ room: null, level: "AAA", usage: [{ current: 2, limit: null }] });
  });

  test("subscribers read of URLs, and who has paid once of scans", async () => {
    await bought([subscription({ urls: [site("shop")], urlLimit: 5 })], [payment({ urlLimit: 1 })]);
    const { usage } = await ordersOf().allowance("ada");
    expect(usage).toEqual([
      { kind: "subscription", current: 1, limit: 5 },
      { kind: "payment", current: 0, limit: 1 },
    ]);
  });

  test("a payment beside a subscription has room as well, once that is full", async () => {
    await bought([basic({ createdAt: 9_000 })], [payment({ plan: "pro" })]);
    expect((await ordersOf().allowance("ada")).room).toBe(2);
    const versions = [];
    for (const name of ["one", "two"]) versions.push(started(await ordersOf().place("ada", wish({ url: site(name) }))).fullVersion);
    expect(versions).toEqual(["2.1", "2.2"]);
    expect(outcome(await ordersOf().place("ada", wish({ url: site("three") })))).toBe("full");
  });
});

describe("where nothing is sold", () => {
  test("everybody may have everything scanned and see all of it, and nothing is counted", async () => {
    const orders = ordersOf({ open: true, trialScans: 1 });
    for (const name of ["a", "b", "c"]) {
      const run = started(await orders.place("ada", wish({ url: site(name), level: "AAA" })));
      expect(run).toMatchObject({ scope: "site", standard: { version: "2.2", level: "AAA" } });
      expect(await orders.isUnlocked("ada", run)).toBe(true);
      expect(await orders.unlock("ada", run)).toBe(true);
    }
    expect(await orders.allowance("ada")).toMatchObject({ open: true, level: "AAA", trial: { used: 0 } });
  });
});
