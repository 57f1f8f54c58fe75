import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import type { ProviderPayment, ProviderSubscription } from "~/billing/provider";
import type { PlanKey } from "~/billing/plans/plans";
import { createScanRequests, type ScanAnswer, type ScanRequest } from "~/runs/scan-request.server";
import { createPurchases, type PurchaseModel } from "~/billing/purchase.server";
import { createRetention } from "~/runs/retention.server";
import { createRunLists } from "~/runs/list.server";
import { TooManyWaiting, type Runs } from "~/runs/run.server";
import { payment, subscription } from "../../support/billing/bought";
import { freshDatabase } from "../../support/database/database";
import { addUsers, runsOf } from "../../support/database/finished-runs";
import { WCAG22AA } from "../../support/scan/scanner";

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

const scanRequestsOf = ({ trialScans = 0, open = false, confirmedOnly = false } = {}) => createScanRequests({ db, runs, purchases, open, trialScans, confirmedOnly });
const bought = (subscriptions: ProviderSubscription[], payments: ProviderPayment[] = []) =>
  purchases.store("ada", { subscriptions, payments });
const site = (name: string | number) => `https://${name}.example/`;
const request = (more: Partial<ScanRequest> = {}): ScanRequest => ({ url: site("shop"), scope: "site", level: "AA", ...more });
const page = (name: string | number) => request({ url: site(name), scope: "page" });
const basic = (more: Partial<ProviderSubscription> = {}) => subscription({ plan: "basic", urlLimit: 1, ...more });

const started = (submitted: ScanAnswer) => {
  if (submitted.kind === "refused") throw new Error(submitted.why);
  return submitted.run;
};
const outcome = (submitted: ScanAnswer) => (submitted.kind === "refused" ? submitted.why : submitted.kind);
const runCount = async () => (await db.selectFrom("run").select("id").execute()).length;
const registered = async () => (await purchases.of("ada")).flatMap(({ urls }) => urls.map(({ origin }) => `${origin}/`));

describe("an uncovered scan is refused before anything is scanned or counted", () => {
  test.each<[string, { trialScans?: number; bought?: ProviderSubscription[] }, Partial<ScanRequest>, string]>([
    ["by a user without a purchase", {}, {}, "nothing_bought"],
    ["with all URLs used", { bought: [basic({ urls: [site("taken")] })] }, {}, "full"],
    ["of a level that no plan includes", { bought: [subscription()] }, { level: "AAA" }, "level"],
    ["of such a level, for a covered website", { bought: [basic({ urls: [site("shop")] })] }, { level: "AAA" }, "level"],
    ["of a whole website by a trial", { trialScans: 1 }, {}, "site_is_paid"],
    ["of level AAA by a trial", { trialScans: 1 }, { scope: "page", level: "AAA" }, "level"],
    ["with an ended purchase", { bought: [subscription({ status: "canceled" })] }, {}, "nothing_bought"],
  ])("a scan %s", async (_what, { bought: subscriptions = [], trialScans }, more, why) => {
    await bought(subscriptions);
    const before = await registered();
    expect(await scanRequestsOf({ trialScans }).submit("ada", request(more))).toEqual({ kind: "refused", why });
    expect(await runCount()).toBe(0);
    expect(await registered()).toEqual(before);
    expect((await scanRequestsOf({ trialScans: 5 }).entitlementOf("ada")).trial.used).toBe(0);
  });

  test("a trial scan after all are used is refused; with a full plan, the reason is the full plan", async () => {
    const scanRequests = scanRequestsOf({ trialScans: 1 });
    expect(outcome(await scanRequests.submit("ada", page("one")))).toBe("started");
    expect(outcome(await scanRequests.submit("ada", page("two")))).toBe("trial_used");
    await bought([basic({ urls: [site("taken")] })]);
    expect(outcome(await scanRequests.submit("ada", page("two")))).toBe("full");
    expect(await runCount()).toBe(1);
  });
});

describe("where scans outside a purchase want a confirmed address", () => {
  beforeEach(() => db.updateTable("user").set({ email_verified: 0 }).where("id", "=", "ada").execute());

  test.each([["nothing is sold", { open: true }], ["it is a trial", { trialScans: 1 }]])("where %s, an unconfirmed account scans nothing", async (_what, options) => {
    const scanRequests = scanRequestsOf({ ...options, confirmedOnly: true });
    expect(outcome(await scanRequests.submit("ada", page("shop")))).toBe("unconfirmed");
    expect(await scanRequests.entitlementOf("ada")).toMatchObject({ unconfirmed: true, trial: { used: 0 } });
    expect(await runCount()).toBe(0);
    expect(outcome(await scanRequests.submit("eve", page("shop")))).toBe("started");
    expect(outcome(await scanRequestsOf(options).submit("ada", page("shop")))).toBe("started");
  });

  test("a paid website is scanned at once", async () => {
    await bought([basic()]);
    const scanRequests = scanRequestsOf({ trialScans: 1, confirmedOnly: true });
    expect((await scanRequests.entitlementOf("ada")).unconfirmed).toBe(false);
    expect(outcome(await scanRequests.submit("ada", request()))).toBe("started");
  });

  test("an administrator scans at once", async () => {
    await db.updateTable("user").set({ administrator: 1 }).where("id", "=", "ada").execute();
    expect(outcome(await scanRequestsOf({ open: true, confirmedOnly: true }).submit("ada", request()))).toBe("started");
  });
});

describe("an accepted scan", () => {
  test.each<[PlanKey, "2.1" | "2.2", ScanRequest["level"]]>([
    ["basic", "2.1", "AA"],
    ["pro", "2.2", "AA"],
    ["enterprise", "2.2", "AAA"],
  ])("is held against WCAG 2.2, shows in full what %s includes, whatever its name, and registers its website once", async (plan, fullVersion, level) => {
    await bought([subscription({ plan, planName: "Enterprise? Pro? Basic? An offer by sales" })]);
    const scanRequests = scanRequestsOf();
    expect(await scanRequests.submit("ada", request({ level }))).toMatchObject({ kind: "started", registered: true, run: { standard: { version: "2.2", level }, fullVersion } });
    const again = await scanRequests.submit("ada", request({ url: `${site("shop")}deep?x=1`, level: "A" }));
    expect(again).toMatchObject({ kind: "started", registered: false, run: { standard: { version: "2.2", level: "A" }, fullVersion } });
    expect(await registered()).toEqual([site("shop")]);
  });

  test("is held against the largest plan that covers its website", async () => {
    await bought([basic({ urls: [site("shop")] })], [payment({ plan: "pro", urls: [site("shop")] })]);
    expect(started(await scanRequestsOf().submit("ada", request())).fullVersion).toBe("2.2");
  });

  test("of a level beyond the covering plan is taken up by a plan that includes it and has room", async () => {
    await bought([subscription({ plan: "enterprise", urlLimit: null })], [payment({ plan: "basic", urls: [site("shop")] })]);
    const submitted = await scanRequestsOf().submit("ada", request({ level: "AAA" }));
    expect(submitted).toMatchObject({ kind: "started", registered: true, run: { standard: { level: "AAA" }, fullVersion: "2.2" } });
  });

  test("has the requested settings, and belongs to its owner only", async () => {
    await bought([subscription()]);
    const run = started(await scanRequestsOf().submit("ada", request({ maxPages: 7, excludedPaths: ["/archive/"] })));
    expect(run).toMatchObject({ owner: "ada", url: site("shop"), scope: "site", status: "queued", maxPages: 7, excludedPaths: ["/archive/"] });
    expect(await runs.ofOwner(run.id, "eve")).toBeUndefined();
  });

  test("counts once, also with simultaneous requests: no plan covers more websites than its limit", async () => {
    await bought([subscription()]);
    const scanRequests = scanRequestsOf();
    const submitted = await Promise.all(Array.from({ length: 20 }, (_, index) => scanRequests.submit("ada", request({ url: site(index) }))));
    expect(submitted.filter(({ kind }) => kind === "started")).toHaveLength(5);
    expect(new Set(submitted.filter(({ kind }) => kind === "refused").map(outcome))).toEqual(new Set(["full"]));
    expect(await registered()).toHaveLength(5);
    expect(await runCount()).toBe(5);
  });

  test("that is refused because too many wait takes no slot of a website", async () => {
    await bought([subscription()]);
    const start: Runs["start"] = (_run, together) =>
      db.transaction().execute(async (trx) => {
        await together?.(trx, "a run");
        throw new TooManyWaiting();
      });
    const crowded = createScanRequests({ db, runs: { ...runs, start }, purchases, open: false, trialScans: 0 });
    expect(outcome(await crowded.submit("ada", request()))).toBe("waiting");
    expect(await registered()).toEqual([]);
  });
});

describe("a scan that repeats another one", () => {
  test("is recognised while that is not over: of the same website, or of the same page", async () => {
    const { submitOnce } = scanRequestsOf();
    const underWay = async (owner: string, again: { url: string; scope: "site" | "page" }) => {
      const answer = await submitOnce(owner, request(again));
      return answer.kind === "under_way" ? answer.id : null;
    };
    const { id } = await runs.start({ url: site("shop"), owner: "ada", scope: "site", standard: WCAG22AA });
    const { id: single } = await runs.start({ url: `${site("shop")}a`, owner: "ada", scope: "page", standard: WCAG22AA });
    expect(await underWay("ada", { url: `${site("shop")}other`, scope: "site" })).toBe(id);
    expect(await underWay("ada", { url: `${site("shop")}a`, scope: "page" })).toBe(single);
    expect(await underWay("ada", { url: `${site("shop")}b`, scope: "page" })).toBeNull();
    expect(await underWay("ada", { url: site("shop").replace("https", "http"), scope: "site" })).toBeNull();
    expect(await underWay("eve", { url: site("shop"), scope: "site" })).toBeNull();
    await runs.cancel(id, "ada");
    expect(await underWay("ada", { url: site("shop"), scope: "site" })).toBeNull();
  });

  test.each([1, 3])("is not started by a second click, and uses up no trial scan (of %i)", async (trialScans) => {
    const scanRequests = scanRequestsOf({ trialScans });
    const clicks = await Promise.all(Array.from({ length: 10 }, () => scanRequests.submitOnce("ada", page("one"))));
    const first = clicks.find(({ kind }) => kind === "started");
    if (first?.kind !== "started") throw new Error("None was started.");
    expect(clicks.filter((click) => click !== first)).toEqual(Array(9).fill({ kind: "under_way", id: first.run.id }));
    expect(await runCount()).toBe(1);
    expect((await scanRequests.entitlementOf("ada")).trial.used).toBe(1);
  });
});

describe("trial scans", () => {
  test("are for every signed-in user, up to their number, also with simultaneous requests", async () => {
    const scanRequests = scanRequestsOf({ trialScans: 3 });
    const submitted = await Promise.all(Array.from({ length: 20 }, (_, index) => scanRequests.submit("ada", page(index))));
    expect(submitted.filter(({ kind }) => kind === "started")).toHaveLength(3);
    expect(new Set(submitted.filter(({ kind }) => kind === "refused").map(outcome))).toEqual(new Set(["trial_used"]));
    expect(await runCount()).toBe(3);
    expect((await scanRequests.entitlementOf("ada")).trial).toEqual({ used: 3, limit: 3 });
    expect(outcome(await scanRequests.submit("eve", page("hers")))).toBe("started");
  });

  test("stay used when their runs are deleted, even finally", async () => {
    const scanRequests = scanRequestsOf({ trialScans: 1 });
    const { id } = started(await scanRequests.submit("ada", page("one")));
    await createRunLists({ db, runs }).remove("ada", [id]);
    expect(outcome(await scanRequests.submit("ada", page("two")))).toBe("trial_used");
    await createRetention({ db }).deleteExpired(Date.now() + YEAR_MS);
    expect(await runCount()).toBe(0);
    expect(outcome(await scanRequests.submit("ada", page("two")))).toBe("trial_used");
  });

  test("are used when a plan is full, and only then", async () => {
    const scanRequests = scanRequestsOf({ trialScans: 1 });
    await bought([basic()]);
    expect(await scanRequests.submit("ada", page("one"))).toMatchObject({ kind: "started", registered: true });
    expect((await scanRequests.entitlementOf("ada")).trial.used).toBe(0);
    expect(await scanRequests.submit("ada", page("two"))).toMatchObject({ kind: "started", registered: false, run: { standard: { version: "2.2", level: "AA" } } });
    expect((await scanRequests.entitlementOf("ada")).trial.used).toBe(1);
  });
});

describe("the full report", () => {
  const before = { url: `${site("shop")}page`, createdAt: Date.now() - 1 };
  const afterwards = () => ({ url: before.url, createdAt: Date.now() + 1 });
  const run = before;

  test("of a trial is locked until its website is registered, and open afterwards", async () => {
    const scanRequests = scanRequestsOf({ trialScans: 1 });
    expect(await scanRequests.isUnlocked("ada", run)).toBe(false);
    expect(await scanRequests.unlock("ada", run)).toBe(false);
    await bought([basic()]);
    expect(await scanRequests.isUnlocked("ada", run)).toBe(false);
    expect(await scanRequests.unlock("ada", run)).toBe(true);
    expect(await scanRequests.isUnlocked("ada", run)).toBe(true);
    expect(await scanRequests.isUnlocked("ada", { ...run, url: "http://shop.example/" })).toBe(false);
    expect(await scanRequests.isUnlocked("eve", run)).toBe(false);
  });

  test("is open for a website registered with the purchase, even if the browser never returns", async () => {
    await bought([], [payment({ urls: [run.url] })]);
    expect(await scanRequestsOf().isUnlocked("ada", run)).toBe(true);
  });

  test.each<[string, ProviderSubscription[]]>([
    ["a subscription has ended", [basic({ status: "canceled" })]],
    ["a subscription is currently not charged", [basic({ paused: true })]],
    ["the provider no longer knows the subscription", []],
  ])("stays open when %s; later scans are locked until the next purchase", async (_what, subscriptions) => {
    const scanRequests = scanRequestsOf();
    await bought([basic({ urls: [run.url] })]);
    await bought(subscriptions);
    expect([await scanRequests.isUnlocked("ada", run), await scanRequests.isUnlocked("ada", afterwards())]).toEqual([true, false]);
    expect(outcome(await scanRequests.submit("ada", request({ url: run.url })))).toBe("nothing_bought");
    await bought([...subscriptions, subscription({ id: "sub_2" })]);
    expect(await scanRequests.unlock("ada", run)).toBe(true);
    expect(await scanRequests.isUnlocked("ada", afterwards())).toBe(true);
  });

  test("of a one-time payment stays open after its 30 days; new scans then need a plan", async () => {
    const scanRequests = scanRequestsOf();
    const last = { urls: [run.url], paidAt: Date.now() - 30 * DAY_MS + 5_000 };
    await bought([], [payment(last)]);
    expect(outcome(await scanRequests.submit("ada", request({ url: run.url })))).toBe("started");
    await bought([], [payment({ ...last, id: "pi_2", paidAt: last.paidAt - 5_000 })]);
    expect(outcome(await scanRequests.submit("ada", request({ url: run.url })))).toBe("nothing_bought");
    const at = (createdAt: number) => scanRequests.isUnlocked("ada", { ...run, createdAt });
    expect([await at(Date.now() - DAY_MS), await at(Date.now() + DAY_MS)]).toEqual([true, false]);
  });

  test.each<[string, Partial<ProviderPayment>]>([
    ["was refunded", { refunded: "fully" }],
    ["is disputed", { disputed: true }],
  ])("is locked when a payment %s, and open again with the next purchase", async (_what, more) => {
    const scanRequests = scanRequestsOf();
    await bought([], [payment({ urls: [run.url] })]);
    expect(await scanRequests.isUnlocked("ada", run)).toBe(true);
    await bought([], [payment(more)]);
    expect(await scanRequests.isUnlocked("ada", run)).toBe(false);
    await bought([subscription({ id: "sub_2" })], [payment(more)]);
    expect(await scanRequests.unlock("ada", run)).toBe(true);
    expect(await scanRequests.isUnlocked("ada", run)).toBe(true);
  });

  test("stays open when its website is removed from the plan; later scans are locked", async () => {
    const scanRequests = scanRequestsOf();
    await bought([subscription({ urls: [run.url] })]);
    const [{ urls: [{ id } = { id: 0 }] } = { urls: [] }] = await purchases.of("ada");
    expect(await purchases.remove("ada", id)).toBe("removed");
    expect([await scanRequests.isUnlocked("ada", run), await scanRequests.isUnlocked("ada", afterwards())]).toEqual([true, false]);
  });

  test("that a smaller plan no longer covers stays open; later scans are open if another purchase has room", async () => {
    const scanRequests = scanRequestsOf();
    await bought([subscription({ urls: [site("first"), run.url] })]);
    await bought([basic()]);
    expect([await scanRequests.isUnlocked("ada", run), await scanRequests.isUnlocked("ada", afterwards())]).toEqual([true, false]);
    expect(await scanRequests.unlock("ada", run)).toBe(false);
    await bought([basic(), basic({ id: "sub_2", createdAt: 3_000 })]);
    expect(outcome(await scanRequests.submit("ada", request({ url: run.url })))).toBe("started");
    expect(await scanRequests.isUnlocked("ada", afterwards())).toBe(true);
  });
});

describe("before a scan request", () => {
  test("the user sees what it would count against", async () => {
    const scanRequests = scanRequestsOf({ trialScans: 2 });
    expect(await scanRequests.entitlementOf("ada")).toEqual({ open: false, covered: [], room: 0, usage: [], level: "AA", trial: { used: 0, limit: 2 }, unconfirmed: false });
    await bought([subscription({ urls: [site("shop"), site("blog")] })]);
    expect(await scanRequests.entitlementOf("ada")).toMatchObject({ covered: ["https://shop.example", "https://blog.example"], room: 3, level: "AA" });
    await bought([subscription({ plan: "enterprise", urlLimit: null })]);
    expect(await scanRequests.entitlementOf("ada")).toMatchObject({ room: null, level: "AAA", usage: [{ current: 2, limit: null }] });
  });

  test("subscribers see URLs, users with a one-time payment see scans", async () => {
    await bought([subscription({ urls: [site("shop")], urlLimit: 5 })], [payment({ urlLimit: 1 })]);
    const { usage } = await scanRequestsOf().entitlementOf("ada");
    expect(usage).toEqual([
      { kind: "subscription", current: 1, limit: 5 },
      { kind: "payment", current: 0, limit: 1 },
    ]);
  });

  test("a payment besides a full subscription has room too", async () => {
    await bought([basic({ createdAt: 9_000 })], [payment({ plan: "pro" })]);
    expect((await scanRequestsOf().entitlementOf("ada")).room).toBe(2);
    const versions = [];
    for (const name of ["one", "two"]) versions.push(started(await scanRequestsOf().submit("ada", request({ url: site(name) }))).fullVersion);
    expect(versions).toEqual(["2.1", "2.2"]);
    expect(outcome(await scanRequestsOf().submit("ada", request({ url: site("three") })))).toBe("full");
  });
});

describe("if nothing is sold", () => {
  test("every user may scan everything and see all of it, and nothing is counted", async () => {
    const scanRequests = scanRequestsOf({ open: true, trialScans: 1 });
    for (const name of ["a", "b", "c"]) {
      const run = started(await scanRequests.submit("ada", request({ url: site(name), level: "AAA" })));
      expect(run).toMatchObject({ scope: "site", standard: { version: "2.2", level: "AAA" } });
      expect(await scanRequests.isUnlocked("ada", run)).toBe(true);
      expect(await scanRequests.unlock("ada", run)).toBe(true);
    }
    expect(await scanRequests.entitlementOf("ada")).toMatchObject({ open: true, level: "AAA", trial: { used: 0 } });
  });
});
