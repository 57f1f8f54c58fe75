import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { writeLetter } from "~/mail/letters.server";
import type { Mail } from "~/mail/mail";
import { asMessage } from "~/mail/message";
import { createHistories } from "~/monitoring/history.server";
import { createScanRequests } from "~/runs/scan-request.server";
import { openPage } from "~/runs/page.server";
import { createPurchases, type PurchaseModel } from "~/billing/purchase.server";
import type { Run } from "~/runs/run";
import { addResult } from "~/runs/run-sums.server";
import { createScheduleLists } from "~/monitoring/schedule-list.server";
import { createSchedules } from "~/monitoring/schedule.server";
import type { PageResult } from "~/scan/types";
import { ENDED, subscription } from "../support/bought";
import { freshDatabase } from "../support/database";
import { addUsers, finishedRun, runsOf } from "../support/finished-runs";
import { checkedPage, element, ENGINES, finding, uncheckedPage } from "../support/page-results";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const SHOP = "https://shop.example/";
const BASE_URL = "https://rampe.example";

const at = (iso: string) => Date.parse(`${iso}T09:00:00Z`);

describe("a repeated scan", () => {
  let db: Db;
  let clock: { time: number };
  let posted: Mail[];
  let purchases: PurchaseModel;
  let run: Run;

  const runs = () => runsOf(db, () => clock.time);
  const submitted = () => db.selectFrom("run").selectAll().where("created_at", ">", 1_000).orderBy("created_at").execute();

  function schedules({ open = true, broken = false, secret = "a secret of the tests" } = {}) {
    const scanRequests = createScanRequests({ db, runs: runs(), purchases, open, trialScans: 0 });
    return createSchedules({
      ...{ db, purchases, open },
      histories: createHistories({ db }),
      scanRequests: broken ? { submit: () => Promise.reject(new Error("the process dies")) } : scanRequests,
      mails: { post: async (_trx, mail) => void posted.push(mail) },
      write: writeLetter,
      box: createSecretBox([secret]),
      baseUrl: BASE_URL,
      now: () => clock.time,
    });
  }

  beforeEach(async () => {
    db = await freshDatabase();
    clock = { time: at("2026-11-01") };
    posted = [];
    purchases = createPurchases({ db });
    await addUsers(db, "ada");
    run = await finishedRun(db, [page("logo")], { at: 1_000, excludedPaths: ["/archive/"], maxPages: 50 });
    await schedules().set("ada", run, { every: "week", mails: true });
  });

  const page = (...names: string[]): PageResult =>
    checkedPage({
      findings: {
        violations: names.length > 0 ? [finding("image-alt", { impact: "critical", elementCount: names.length, elements: names.map(img) })] : [],
        incomplete: [],
        passes: names.length > 0 ? [] : [finding("image-alt")],
        inapplicable: [],
      },
    });
  const img = (name: string) => element({ target: [`#${name}`], html: `<img id="${name}">` });

  /** Finishes the waiting run with findings. */
  async function finish(result: PageResult): Promise<void> {
    const [waiting] = await db.selectFrom("run").select("id").where("status", "=", "queued").execute();
    const id = waiting?.id ?? "";
    await db.transaction().execute(async (trx) => {
      await openPage(trx, id, result.url);
      await addResult(trx, id, result, ENGINES);
      await runs().conclude(trx, id);
    });
  }

  async function weekLater(): Promise<void> {
    clock.time += WEEK_MS;
    await schedules().tick();
  }

  test("starts a week later with the run's settings, and not before", async () => {
    clock.time += WEEK_MS - 1;
    await schedules().tick();
    expect(await submitted()).toHaveLength(0);
    clock.time += 1;
    await schedules().tick();
    expect(await submitted()).toMatchObject([{ url: SHOP, scope: "site", owner: "ada", max_pages: 50, left_out: '["/archive/"]' }]);
  });

  describe("of a site that is not public", () => {
    const ACCESS = { kind: "basic", user: "ada", password: "open sesame" } as const;
    const weekly = (access?: typeof ACCESS | null) => schedules().set("ada", run, { every: "week", mails: true, access });
    const stored = () => db.selectFrom("schedule").select(["access", "paused"]).executeTakeFirstOrThrow();
    const startedWith = async () => (await runs().resume((await submitted())[0]?.id ?? ""))?.access;

    test("has the stored access, which nobody can read in the database", async () => {
      await weekly(ACCESS);
      expect((await stored()).access).toMatch(/^1\.[\w-]{40,}$/);
      expect(await schedules().of("ada", run)).toMatchObject({ hasAccess: true });
      await weekLater();
      expect(await startedWith()).toEqual({ ...ACCESS, origin: new URL(SHOP).origin });
    });

    test("keeps it through other changes, until it is deleted", async () => {
      await weekly(ACCESS);
      await weekly();
      expect(await schedules().accessOf("ada", run)).toEqual(ACCESS);
      expect(await schedules().accessOf("eve", run)).toBe(null);
      await weekly(null);
      expect(await schedules().of("ada", run)).toMatchObject({ hasAccess: false });
      await weekLater();
      expect(await submitted()).toHaveLength(1);
      expect(await startedWith()).toBeUndefined();
    });

    test("is put on hold, with a mail, when it cannot be read any more, until it is typed again", async () => {
      await weekly(ACCESS);
      clock.time += WEEK_MS;
      const afterLoss = schedules({ secret: "another secret" });
      await afterLoss.tick();
      expect(await submitted()).toEqual([]);
      const { id } = await db.selectFrom("schedule").select("id").executeTakeFirstOrThrow();
      expect(posted).toMatchObject([{ to: "ada@example.org", text: expect.stringContaining(`${BASE_URL}/runs/schedules/${id}\n`) }]);
      await afterLoss.set("ada", run, { every: "day", mails: true });
      expect((await stored()).paused).toBe("access");
      expect(await afterLoss.accessOf("ada", run)).toBeUndefined();
      await afterLoss.set("ada", run, { every: "day", mails: true, access: ACCESS });
      expect((await stored()).paused).toBe(null);
    });
  });

  test.each<[string, open: boolean, paused: string | null]>([
    ["on hold because its plan ended, if no plan covers it", false, "not_covered"],
    ["no longer on hold, if a plan covers it", true, null],
  ])("whose unreadable access is deleted is %s", async (_what, open, paused) => {
    await schedules().set("ada", run, { every: "week", mails: true, access: { kind: "cookie", cookie: "a=1" } });
    clock.time += WEEK_MS;
    await schedules({ secret: "another secret" }).tick();
    await schedules({ open, secret: "another secret" }).forgetAccess("eve", run);
    expect(await schedules().of("ada", run)).toMatchObject({ hasAccess: true, paused: "access" });
    await schedules({ open, secret: "another secret" }).forgetAccess("ada", run);
    expect(await schedules({ open }).of("ada", run)).toMatchObject({ hasAccess: false, paused, every: "week" });
    await schedules({ open }).tick();
    expect(await submitted()).toEqual([]);
  });

  test("keeps its rhythm when only its mails change, and not when its hour does", async () => {
    clock.time += DAY_MS;
    const next = async () => (await schedules().of("ada", run))?.nextRunAt;
    await schedules().set("ada", run, { every: "week", mails: false });
    expect(await next()).toBe(at("2026-11-01") + WEEK_MS);
    await schedules().set("ada", run, { every: "day", hour: 3, mails: true });
    expect(await next()).toBe(Date.parse("2026-11-03T02:00:00Z"));
    clock.time = Date.parse("2026-11-03T02:00:00Z");
    await schedules().tick();
    expect(await submitted()).toHaveLength(1);
    expect(await next()).toBe(Date.parse("2026-11-04T02:00:00Z"));
  });

  test("that was missed many times while the server was off starts once", async () => {
    clock.time += 5 * WEEK_MS + DAY_MS;
    await schedules().tick();
    await schedules().tick();
    expect(await submitted()).toHaveLength(1);
    expect((await schedules().of("ada", run))?.nextRunAt).toBe(at("2026-11-01") + 6 * WEEK_MS);
  });

  test("of a disabled account waits, and starts once when the account is in use again", async () => {
    const disable = (since: number | null) => db.updateTable("user").set({ disabled_at: since }).where("id", "=", "ada").execute();
    await disable(clock.time);
    clock.time += 3 * WEEK_MS;
    await schedules().tick();
    expect(await submitted()).toEqual([]);
    await disable(null);
    await schedules().tick();
    await schedules().tick();
    expect(await submitted()).toHaveLength(1);
  });

  test("is started once, by any number of processes", async () => {
    clock.time += WEEK_MS;
    await Promise.all(Array.from({ length: 8 }, () => schedules().tick()));
    expect(await submitted()).toHaveLength(1);
  });

  test("whose process died after claiming it is started by another one", async () => {
    clock.time += WEEK_MS;
    await schedules({ broken: true }).tick();
    expect(await submitted()).toHaveLength(0);
    clock.time += 10 * 60_000;
    await Promise.all([schedules().tick(), schedules().tick()]);
    expect(await submitted()).toHaveLength(1);
  });

  test("does not start again while the previous one runs", async () => {
    await weekLater();
    await weekLater();
    expect(await submitted()).toHaveLength(1);
    await finish(page("logo"));
    await schedules().tick();
    expect(await submitted()).toHaveLength(2);
  });

  test("informs its owner if something got worse, with details", async () => {
    await weekLater();
    await finish(page("logo", "banner", "map"));
    await schedules().tick();
    await schedules().tick();
    const [later] = await submitted();
    expect(posted).toHaveLength(1);
    expect(posted[0]).toMatchObject({ to: "ada@example.org", subject: "New barriers found" });
    expect(posted[0]?.text).toContain(`${BASE_URL}/run/${later?.id}/changes`);
    expect(posted[0]?.text).toContain("Violated rules with new places: 1; number of new places: 2");
    expect(posted[0]?.text).toContain(posted[0]?.unsubscribe);
  });

  test("that found nothing new sends no mail", async () => {
    await weekLater();
    await finish(page());
    await weekLater();
    expect(posted).toEqual([]);
  });

  test("that could not check anything informs its owner", async () => {
    await weekLater();
    await finish(uncheckedPage());
    await schedules().tick();
    expect(posted.map(({ subject }) => subject)).toEqual(["A repeated scan has failed"]);
  });

  test("sends no mail to an unconfirmed address", async () => {
    await db.updateTable("user").set({ email_verified: 0 }).execute();
    await weekLater();
    await finish(page("banner"));
    await schedules().tick();
    expect(posted).toEqual([]);
  });

  test("continues without mails after unsubscribing", async () => {
    await weekLater();
    await finish(page("banner"));
    await schedules().tick();
    const token = posted[0]?.unsubscribe?.split("/").at(-1) ?? "";
    expect(await schedules().unsubscribed(token)).toMatchObject({ url: SHOP, mails: true });
    expect(await schedules().unsubscribe("1.forged")).toBe(false);
    expect(await schedules().unsubscribe(token)).toBe(true);
    await weekLater();
    await finish(page("map"));
    await schedules().tick();
    expect(posted).toHaveLength(1);
    expect(await submitted()).toHaveLength(2);
  });

  test("keeps the excluded paths when a program changes it, which cannot name them", async () => {
    const { excludedPaths: _, ...order } = run;
    await schedules().set("ada", { ...order, maxPages: 20 }, { every: "day", hour: 4, mails: false });
    expect(await db.selectFrom("schedule").selectAll().execute()).toMatchObject([{ every: "day", max_pages: 20, left_out: '["/archive/"]' }]);
    await schedules().set("ada", { ...run, excludedPaths: [] }, { every: "day", hour: 4, mails: false });
    expect(await db.selectFrom("schedule").selectAll().execute()).toMatchObject([{ left_out: null }]);
  });

  test("is found by its address and scope, listed with those of its website, and counted", async () => {
    for (const url of ["https://shop.example.org/", "https://shop.example:8443/", "http://shop.example/", `${SHOP}basket?a=1`]) await schedules().set("ada", { ...run, url }, { every: "day", mails: false });
    const lists = createScheduleLists({ db, purchases, open: true, now: () => clock.time });
    const urls = async (origin?: string) => (await lists.list("ada", { origin })).map(({ url }) => url);
    expect([(await urls()).length, await urls(new URL(SHOP).origin), await urls("https://shop.example:8443")]).toEqual([5, [SHOP, `${SHOP}basket?a=1`], ["https://shop.example:8443/"]]);
    expect([await lists.count("ada"), await lists.count("eve")]).toEqual([5, 0]);
    expect(await lists.find("ada", run)).toMatchObject({ url: SHOP, scope: "site", every: "week" });
    expect([await lists.find("ada", { url: SHOP, scope: "page" }), await lists.find("eve", run)]).toEqual([undefined, undefined]);
  });

  test("is known to be there, to its owner alone", async () => {
    const { hasAny } = createScheduleLists({ db, purchases, open: true });
    expect([await hasAny("ada"), await hasAny("eve")]).toEqual([true, false]);
    await schedules().end("ada", run);
    expect(await hasAny("ada")).toBe(false);
  });

  test("that was ended does not start again", async () => {
    await schedules().end("ada", run);
    await weekLater();
    expect(await submitted()).toHaveLength(0);
    expect(await schedules().of("ada", run)).toBeUndefined();
  });

  test("that no subscription covers any more is paused, and its owner is informed once", async () => {
    clock.time += WEEK_MS;
    for (let round = 0; round < 3; round += 1) await schedules({ open: false }).tick();
    expect(await submitted()).toHaveLength(0);
    expect((await schedules({ open: false }).of("ada", run))?.paused).toBe("not_covered");
    expect(posted.map(({ subject }) => subject)).toEqual(["A repeated scan is on hold"]);
    for (const said of ["no subscription covers this website", `${BASE_URL}/profile/urls`]) expect(posted[0]?.text).toContain(said);
  });

  test("is paused without a mail if the owner wants none", async () => {
    await db.updateTable("schedule").set({ mails: 0 }).execute();
    clock.time += WEEK_MS;
    await schedules({ open: false }).tick();
    expect((await schedules({ open: false }).of("ada", run))?.paused).toBe("not_covered");
    expect(posted).toEqual([]);
  });

  describe("whose plan has ended", () => {
    const sold = () => schedules({ open: false });
    const store = (...subscriptions: ReturnType<typeof subscription>[]) => purchases.store("ada", { subscriptions, payments: [] });
    const endPlan = () => store(subscription({ urls: [SHOP], ...ENDED }));
    const buyAgain = () => store(subscription({ urls: [SHOP], ...ENDED }), subscription({ id: "sub_2", urls: [SHOP] }));
    const stored = () => db.selectFrom("schedule").selectAll().executeTakeFirstOrThrow();
    const listed = () => createScheduleLists({ db, purchases, open: false, now: () => clock.time }).list("ada");

    beforeEach(() => endPlan());

    test("promises no next scan, before one is due", async () => {
      expect(await sold().of("ada", run)).toMatchObject({ paused: "not_covered" });
      expect(await listed()).toMatchObject([{ url: SHOP, paused: "not_covered" }]);
      expect((await stored()).paused).toBe(null);
    });

    test("goes on by itself once it is covered again, if no scan was due meanwhile", async () => {
      clock.time += DAY_MS;
      await buyAgain();
      expect(await sold().of("ada", run)).toMatchObject({ paused: null, nextRunAt: at("2026-11-01") + WEEK_MS });
      clock.time += WEEK_MS - DAY_MS;
      await sold().tick();
      expect(await submitted()).toHaveLength(1);
      expect(posted).toEqual([]);
    });

    test("goes on at its next time, not at once, and has one mail for all missed times", async () => {
      for (let week = 0; week < 3; week += 1) {
        clock.time += WEEK_MS;
        await sold().tick();
      }
      expect(posted.map(({ subject }) => subject)).toEqual(["A repeated scan is on hold"]);
      clock.time += DAY_MS;
      await buyAgain();
      const next = at("2026-11-01") + 4 * WEEK_MS;
      expect(await sold().of("ada", run)).toMatchObject({ paused: null, nextRunAt: next });
      expect(await listed()).toMatchObject([{ paused: null, nextRunAt: next }]);
      await sold().tick();
      expect(await submitted()).toEqual([]);
      clock.time = next;
      await Promise.all([sold().tick(), sold().tick()]);
      expect(await submitted()).toHaveLength(1);
      expect((await stored()).paused).toBe(null);
      expect(posted).toHaveLength(1);
    });

    test("makes up for no time that an earlier version has stored as missed", async () => {
      clock.time += 3 * WEEK_MS + DAY_MS;
      await db.updateTable("schedule").set({ paused: "not_covered" }).execute();
      await buyAgain();
      const next = at("2026-11-01") + 4 * WEEK_MS;
      expect(await sold().of("ada", run)).toMatchObject({ paused: null, nextRunAt: next });
      await sold().tick();
      expect(await submitted()).toEqual([]);
      expect(await stored()).toMatchObject({ paused: null, next_run_at: next });
    });

    test("keeps its rhythm when only its mails change after buying again", async () => {
      clock.time += WEEK_MS;
      await sold().tick();
      clock.time += DAY_MS;
      await buyAgain();
      await sold().set("ada", run, { every: "week", mails: false });
      expect(await stored()).toMatchObject({ paused: null, next_run_at: at("2026-11-01") + 2 * WEEK_MS, mails: 0 });
    });

    test("stays on hold after buying again, if its access can no longer be read", async () => {
      await schedules().set("ada", run, { every: "week", mails: true, access: { kind: "cookie", cookie: "a=1" } });
      await buyAgain();
      clock.time += WEEK_MS;
      await schedules({ open: false, secret: "another secret" }).tick();
      expect(await sold().of("ada", run)).toMatchObject({ paused: "access" });
      await endPlan();
      expect(await sold().of("ada", run)).toMatchObject({ paused: "not_covered", hasAccess: true });
    });
  });

  describe("whose level is above the plan", () => {
    const sold = () => schedules({ open: false });
    const have = (plan: "pro" | "enterprise") => purchases.store("ada", { subscriptions: [subscription({ plan, urls: [SHOP] })], payments: [] });
    const stored = () => db.selectFrom("schedule").selectAll().executeTakeFirstOrThrow();
    const listed = () => createScheduleLists({ db, purchases, open: false, now: () => clock.time }).list("ada");
    const week = (count: number) => at("2026-11-01") + count * WEEK_MS;

    beforeEach(async () => {
      await schedules().set("ada", { ...run, standard: { ...run.standard, level: "AAA" } }, { every: "week", mails: true });
      await have("pro");
    });

    test("promises no next scan, and goes on at its next time after an upgrade, with one mail for all missed times", async () => {
      expect([await sold().of("ada", run), ...(await listed())]).toMatchObject([{ paused: "level" }, { paused: "level" }]);
      for (clock.time = week(1); clock.time <= week(3); clock.time += WEEK_MS) await sold().tick();
      expect(posted.map(({ subject }) => subject)).toEqual(["A repeated scan is on hold"]);
      for (const said of ["WCAG level", "With a larger plan", `${BASE_URL}/runs/schedules/${(await stored()).id}`]) expect(posted[0]?.text).toContain(said);
      clock.time = week(3) + DAY_MS;
      await have("enterprise");
      expect([await sold().of("ada", run), ...(await listed())]).toMatchObject([{ paused: null, nextRunAt: week(4) }, { paused: null, nextRunAt: week(4) }]);
      await sold().tick();
      expect(await submitted()).toEqual([]);
      clock.time = week(4);
      await Promise.all([sold().tick(), sold().tick()]);
      expect(await submitted()).toMatchObject([{ standard_level: "AAA" }]);
      expect([(await stored()).paused, posted.length]).toEqual([null, 1]);
    });

    test("makes up for no time that an earlier version has stored as missed", async () => {
      await db.updateTable("schedule").set({ paused: "level" }).execute();
      clock.time = week(2) + DAY_MS;
      await have("enterprise");
      await sold().tick();
      expect(await submitted()).toEqual([]);
      expect(await stored()).toMatchObject({ paused: null, next_run_at: week(3) });
    });

    test("is not included by a full purchase for another website, although its plan has the level", async () => {
      const other = subscription({ id: "sub_2", plan: "enterprise", urlLimit: 1, urls: ["https://other.example/"] });
      await purchases.store("ada", { subscriptions: [subscription({ plan: "basic", urls: [SHOP] }), other], payments: [] });
      const ofLevel = (level: "AA" | "AAA", url = SHOP) => sold().exclusionFor("ada", { ...run, url, standard: { ...run.standard, level } });
      expect([await ofLevel("AAA"), await ofLevel("AA"), await ofLevel("AAA", "https://other.example/")]).toEqual(["level", null, null]);
    });

    test("stays on hold for it when credentials that were lost are deleted", async () => {
      await db.updateTable("schedule").set({ paused: "access", access: "1.of another key" }).execute();
      await sold().forgetAccess("ada", run);
      expect(await stored()).toMatchObject({ access: null, paused: "level" });
    });

    test("goes on if another purchase with room includes the level", async () => {
      const other = subscription({ id: "sub_2", plan: "enterprise", urlLimit: 1 });
      await purchases.store("ada", { subscriptions: [subscription({ urls: [SHOP] }), other], payments: [] });
      expect(await sold().of("ada", run)).toMatchObject({ paused: null });
      clock.time = week(1);
      await sold().tick();
      expect(await submitted()).toHaveLength(1);
    });
  });

  test("needs a subscription: a one-time payment does not cover it", async () => {
    const bought = { status: "succeeded" as const, plan: "pro" as const, planName: "Rampe Pro", urlLimit: 5, amount: 1, currency: "eur", createdAt: 1, urls: [SHOP] };
    await purchases.store("ada", { subscriptions: [], payments: [{ ...bought, id: "pi_1", paidAt: Date.now(), refunded: "no", disputed: false }] });
    expect(await schedules({ open: false }).exclusionFor("ada", run)).toBe("not_covered");
    const subscription = { ...bought, id: "sub_1", order: null, status: "active" as const, byInvoice: false, cancelAtPeriodEnd: false, paused: false, paid: true, periodStart: 0, periodEnd: 1 };
    await purchases.store("ada", { subscriptions: [subscription], payments: [] });
    expect(await schedules({ open: false }).exclusionFor("ada", run)).toBe(null);
  });
});

test("a repeated mail can be unsubscribed in the mail program", () => {
  const mail = { id: "1", to: "ada@example.org", subject: "", text: "", createdAt: 0, attempts: 1 };
  const headersOf = (unsubscribe?: string) => asMessage({ ...mail, unsubscribe }, "Rampe <noreply@rampe.example>").headers;
  expect(headersOf("https://rampe.example/unsubscribe/x")).toMatchObject({
    "List-Unsubscribe": "<https://rampe.example/unsubscribe/x>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  expect(headersOf()).not.toHaveProperty("List-Unsubscribe");
});
