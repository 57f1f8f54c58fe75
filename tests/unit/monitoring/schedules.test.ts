import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { asMessage } from "~/mail/message";
import { openPage } from "~/runs/page.server";
import { addResult } from "~/runs/run-sums.server";
import { createScheduleLists } from "~/monitoring/schedule-list.server";
import type { PageResult } from "~/scan/types";
import { finishedRun } from "../../support/database/finished-runs";
import { ENGINES, uncheckedPage } from "../../support/database/page-results";
import { at, BASE_URL, DAY_MS, page, repeatedScan, SHOP, WEEK_MS, type RepeatedScan } from "../../support/database/repeated-scan";
import { WCAG22AA } from "../../support/scan/scanner";

describe("a repeated scan", () => {
  let db: Db;
  let clock: RepeatedScan["clock"];
  let posted: RepeatedScan["posted"];
  let purchases: RepeatedScan["purchases"];
  let run: RepeatedScan["run"];
  let runs: RepeatedScan["runs"];
  let submitted: RepeatedScan["submitted"];
  let schedules: RepeatedScan["schedules"];

  beforeEach(async () => {
    ({ db, clock, posted, purchases, run, runs, submitted, schedules } = await repeatedScan());
  });

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

  test.each(["started", "claimed by a process that died"])("goes on after the clock was a year ahead and was set back: %s meanwhile", async (what) => {
    const now = clock.time;
    clock.time += 52 * WEEK_MS;
    await schedules({ broken: what !== "started" }).tick();
    clock.time = now + 1_000;
    if (what === "started") await finish(page("logo"));
    await schedules().tick();
    clock.time += WEEK_MS;
    await schedules().tick();
    await schedules().tick();
    expect((await schedules().of("ada", run))?.nextRunAt).toBeLessThanOrEqual(clock.time + WEEK_MS);
    const waiting = (await submitted()).filter(({ status }) => status === "queued");
    expect(waiting).toHaveLength(1);
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

  test.each<[string, Parameters<typeof finishedRun>[1], Parameters<typeof finishedRun>[2]]>([
    ["of another level", [page("logo", "banner", "map")], { standard: { ...WCAG22AA, level: "AAA" } }],
    ["that checked few pages", [page("logo", "banner", "map"), uncheckedPage({ url: `${SHOP}a` }), uncheckedPage({ url: `${SHOP}b` })], {}],
  ])("is compared with the scan before, not with one %s in between", async (_which, results, more) => {
    await finishedRun(db, results, { at: 2_000, url: SHOP, ...more });
    await weekLater();
    await finish(page("logo", "banner", "map"));
    await schedules().tick();
    expect(posted.map(({ subject }) => subject)).toEqual(["New barriers found"]);
    expect(posted[0]?.text).toContain("number of new places: 2");
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

  test("that did not come to its end informs its owner, unless it is deleted", async () => {
    const breakOff = async (deletedAt: number | null) => {
      await weekLater();
      await finish(page("logo"));
      const [later] = (await submitted()).slice(-1);
      await db.updateTable("run").set({ status: "failed", reason: "crashed", deleted_at: deletedAt }).where("id", "=", later?.id ?? "").execute();
      await schedules().tick();
    };
    await breakOff(null);
    expect(posted.map(({ subject }) => subject)).toEqual(["A repeated scan did not come to its end"]);
    expect(posted[0]?.text).toContain("Pages not checked: 0 of 1");
    await breakOff(clock.time);
    expect(posted).toHaveLength(1);
  });

  test("that found something new before it broke off tells both", async () => {
    await weekLater();
    await finish(page("logo", "map"));
    await db.updateTable("run").set({ status: "failed", reason: "crashed" }).where("id", "=", (await submitted())[0]?.id ?? "").execute();
    await schedules().tick();
    expect(posted.map(({ subject }) => subject)).toEqual(["New barriers found, scan not finished"]);
    expect(posted[0]?.text).toContain("number of new places: 1");
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
