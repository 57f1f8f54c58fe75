import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createScheduleLists } from "~/monitoring/schedule-list.server";
import { ENDED, subscription } from "../../support/billing/bought";
import { at, BASE_URL, DAY_MS, repeatedScan, SHOP, WEEK_MS, type RepeatedScan } from "../../support/database/repeated-scan";

describe("a repeated scan", () => {
  let db: Db;
  let clock: RepeatedScan["clock"];
  let posted: RepeatedScan["posted"];
  let purchases: RepeatedScan["purchases"];
  let run: RepeatedScan["run"];
  let submitted: RepeatedScan["submitted"];
  let schedules: RepeatedScan["schedules"];

  beforeEach(async () => {
    ({ db, clock, posted, purchases, run, submitted, schedules } = await repeatedScan());
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
