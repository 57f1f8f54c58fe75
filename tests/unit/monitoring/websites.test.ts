import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Db } from "db/schema";
import { originOf, websiteId } from "~/monitoring/websites/website";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createHistories } from "~/monitoring/history.server";
import { createRunChanges } from "~/monitoring/websites/run-changes.server";
import { createRunLists } from "~/runs/list.server";
import { createWebsites, type Websites } from "~/monitoring/websites/websites.server";
import type { Purchase } from "~/billing/purchase";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun, runsOf } from "../../support/database/finished-runs";
import { checkedPage, element, ENGINES, finding, uncheckedPage } from "../../support/database/page-results";
import { WCAG22AA } from "../../support/scan/scanner";

let db: Db;
let websites: Websites;
let bought: string[];

beforeEach(async () => {
  db = await freshDatabase();
  await addUsers(db, "ada", "eve");
  bought = [];
  const of = async () => [{ entitles: true, urls: bought.map((url) => ({ url, origin: new URL(url).origin, covered: true })) }] as unknown as Purchase[];
  websites = createWebsites({ db, purchases: { of }, open: false });
});

const page = (url: string, elementCount: number) =>
  checkedPage({
    url,
    findings: { violations: elementCount > 0 ? [finding("image-alt", { impact: "serious", elementCount })] : [], incomplete: [], passes: [], inapplicable: [] },
  });

const scan = (url: string, elements: number, more: Parameters<typeof finishedRun>[2] = {}) => finishedRun(db, [page(url, elements)], { url, ...more });

const detailsOf = async (origin: string) => {
  const website = await websites.find("ada", origin);
  return website && (await websites.details("ada", [website])).get(origin);
};

describe("the list of websites", () => {
  test("has one row for each scheme and host, those registered and never scanned too, and nobody else's", async () => {
    bought = ["https://new.example/start"];
    await scan("https://shop.example/", 3, { at: 1_000 });
    await scan("https://shop.example/basket", 5, { at: 2_000, scope: "page" });
    await scan("http://shop.example/", 0, { at: 3_000 });
    await scan("https://eve.example/", 1, { owner: "eve" });
    const deleted = await scan("https://gone.example/", 1);
    await db.updateTable("run").set({ deleted_at: 1 }).where("id", "=", deleted.id).execute();
    expect((await websites.list("ada")).map(({ origin, state, elements }) => [origin, state, elements])).toEqual([
      ["https://new.example", "never", 0],
      ["https://shop.example", "found", 3],
      ["http://shop.example", "none_found", 0],
    ]);
    expect(await websites.find("ada", "https://eve.example")).toBeUndefined();
  });

  test("shows the last scan of the whole website, and of a page only if the whole was never scanned", async () => {
    const whole = await scan("https://shop.example/", 3, { at: 1_000 });
    await scan("https://shop.example/basket", 5, { at: 2_000, scope: "page" });
    await scan("https://blog.example/a", 1, { at: 1_000, scope: "page" });
    const latest = await scan("https://blog.example/b", 2, { at: 2_000, scope: "page" });
    await scan("https://blog.example/", 9, { at: 3_000, status: "canceled" });
    expect((await websites.list("ada")).map(({ lastRun }) => lastRun)).toEqual([latest.id, whole.id]);
  });

  test("a scan that checked nothing is not a clean one", async () => {
    await finishedRun(db, [uncheckedPage({ url: "https://shop.example/" })], { url: "https://shop.example/" });
    expect((await websites.list("ada")).map(({ state }) => state)).toEqual(["not_checked"]);
  });

  test("is filtered by address and result, and sorted", async () => {
    await scan("https://b.example/", 3, { at: 3_000 });
    await scan("https://a.example/", 1, { at: 1_000 });
    await scan("https://xn--mller-kva.example/", 0, { at: 2_000 });
    const names = async (filter: Parameters<Websites["list"]>[1]) => (await websites.list("ada", filter)).map(({ origin }) => new URL(origin).host);
    expect(await names({ text: "MÜLLER" })).toEqual(["xn--mller-kva.example"]);
    expect(await names({ text: "https://A.example/" })).toEqual(["a.example"]);
    expect(await names({ text: "müller.example/über/uns?a=1" })).toEqual(["xn--mller-kva.example"]);
    expect(await names({ text: "http://" })).toEqual([]);
    expect(await names({ state: "found" })).toEqual(["a.example", "b.example"]);
    expect(await names({ order: "latest" })).toEqual(["b.example", "xn--mller-kva.example", "a.example"]);
    expect(await names({ order: "most" })).toEqual(["b.example", "a.example", "xn--mller-kva.example"]);
  });

  test("is filtered and sorted by what its rows show: without what is accepted", async () => {
    const settled = await scan("https://a.example/", 9);
    await scan("https://b.example/", 3);
    const terms = { kind: "not_a_barrier", lastDay: null, reason: "Decoration" } as const;
    await createAcceptances({ db }).accept("ada", settled, { scope: "rule", rule: { source: "axe", ruleId: "image-alt" }, element: null }, terms);
    const names = async (filter: Parameters<Websites["list"]>[1]) => (await websites.list("ada", filter)).map(({ origin, elements }) => [new URL(origin).host, elements]);
    expect(await names({ state: "found" })).toEqual([["b.example", 3]]);
    expect(await names({ state: "none_found" })).toEqual([["a.example", 0]]);
    expect(await names({ order: "most" })).toEqual([["b.example", 3], ["a.example", 0]]);
    expect((await detailsOf("https://a.example"))?.last?.stats.elements).toBe(0);
  });
});

describe("the next scan of a website", () => {
  const schedule = { owner: "ada", scope: "site", every: "month", anchor_at: 1, next_run_at: 4_000_000_000_000, level: "AA", mails: 1, created_at: 1 } as const;
  const SHOPS = ["https://a.example", "https://b.example"];

  test("is promised only where a subscription covers it, and what it covers is read once for the list", async () => {
    for (const origin of SHOPS) {
      await scan(`${origin}/`, 1);
      await db.insertInto("schedule").values({ ...schedule, id: origin, url: `${origin}/` }).execute();
    }
    const of = vi.fn(async () => [{ kind: "subscription", entitles: true, plan: "pro", urlLimit: 5, urls: [{ url: `${SHOPS[0]}/`, origin: SHOPS[0], covered: true }] }] as unknown as Purchase[]);
    websites = createWebsites({ db, purchases: { of }, open: false });
    const list = await websites.list("ada");
    of.mockClear();
    const details = await websites.details("ada", list);
    expect(SHOPS.map((origin) => details.get(origin)?.schedule?.paused)).toEqual([null, "not_covered"]);
    expect(of).toHaveBeenCalledTimes(1);
  });
});

describe("a website's line", () => {
  test("has only runs of the same address, scope, level and rules, back to the first that differs", async () => {
    const url = "https://shop.example/";
    const older = [{ ...ENGINES[0]!, version: "0.9" }, ...ENGINES.slice(1)];
    await scan(url, 9, { at: 1_000 });
    await scan(url, 8, { at: 2_000, engines: older });
    await scan(url, 7, { at: 3_000 });
    await scan(url, 6, { at: 3_500, scope: "page" });
    await scan(`${url}other`, 5, { at: 3_600 });
    await scan(url, 4, { at: 4_000 });
    expect((await detailsOf("https://shop.example"))?.line.map(({ elements }) => elements)).toEqual([7, 4]);
    await scan(url, 3, { at: 5_000, standard: { ...WCAG22AA, level: "AAA" } });
    expect((await detailsOf("https://shop.example"))?.line.map(({ elements }) => elements)).toEqual([3]);
  });

  test("has no runs of which most pages were not checked", async () => {
    const url = "https://shop.example/";
    await scan(url, 9, { at: 1_000 });
    await finishedRun(db, [page(url, 1), uncheckedPage({ url: `${url}a` }), uncheckedPage({ url: `${url}b` })], { url, at: 2_000 });
    await scan(url, 8, { at: 3_000 });
    expect((await detailsOf("https://shop.example"))?.line.map(({ elements }) => elements)).toEqual([9, 8]);
  });

  test("has no runs in which accepted places count as open, because the elements are deleted", async () => {
    const url = "https://shop.example/";
    await scan(url, 9, { at: 1_000, evidence: "gone" });
    const latest = await scan(url, 2, { at: 2_000 });
    const line = async () => (await detailsOf("https://shop.example"))?.line.map(({ elements }) => elements);
    expect(await line()).toEqual([9, 2]);
    const shown = { ...element({ target: ["#logo"], html: "<img>" }), pageUrl: url };
    await createAcceptances({ db }).accept("ada", latest, { scope: "element", rule: { source: "axe", ruleId: "image-alt" }, element: shown }, { kind: "not_a_barrier", lastDay: null, reason: "Decoration" });
    expect(await line()).toEqual([2]);
  });

  test("has no runs of a plan without the advanced analyses beside those with them", async () => {
    const url = "https://shop.example/";
    await scan(url, 2, { at: 1_000, fullVersion: "2.1" });
    await scan(url, 9, { at: 2_000 });
    expect((await detailsOf("https://shop.example"))?.line.map(({ elements }) => elements)).toEqual([9]);
  });

  test("and a run that waits is shown with its website", async () => {
    await scan("https://shop.example/", 1);
    const open = await runsOf(db).start({ url: "https://shop.example/x", owner: "ada", scope: "page", standard: WCAG22AA });
    expect((await detailsOf("https://shop.example"))?.open?.id).toBe(open.id);
  });
});

describe("changes of a run", () => {
  const changes = (now?: () => number) => {
    const acceptances = createAcceptances({ db, now });
    return createRunChanges({ db, histories: createHistories({ db, acceptances }), acceptances, now });
  };
  const picture = (name: string) => element({ target: [`#${name}`], html: `<img id="${name}">` });
  const found = (...names: string[]) =>
    checkedPage({ findings: { violations: [finding("image-alt", { elementCount: names.length, elements: names.map(picture) })], incomplete: [], passes: [], inapplicable: [] } });
  const at = (time: number, more: Parameters<typeof finishedRun>[2] = {}) => ({ at: time, url: "https://shop.example/", ...more });
  const changed = async () => (await detailsOf("https://shop.example"))?.changes;

  test("are counted since the run before of the same level", async () => {
    const first = await finishedRun(db, [found("logo", "map")], at(1_000));
    expect(await changed()).toBeNull();
    await finishedRun(db, [found()], at(1_500, { standard: { ...WCAG22AA, level: "AAA" } }));
    await finishedRun(db, [found("logo", "hero", "team")], at(2_000));
    await changes().tick();
    expect(await changed()).toMatchObject({ before: first.id, totals: { new: 2, fixed: 1, persisting: 1 } });
    await db.updateTable("run").set({ deleted_at: 1 }).where("id", "=", first.id).execute();
    expect(await changed()).toEqual({ before: null, isGone: true });
  });

  test("are counted since a run of which enough was checked, and since one of another level only if there is no other", async () => {
    const other = await finishedRun(db, [found("logo")], at(1_000, { standard: { ...WCAG22AA, level: "A" } }));
    const whole = await finishedRun(db, [found("logo")], at(2_000));
    await changes().tick();
    expect(await changed()).toMatchObject({ before: other.id, totals: { new: 0, persisting: 1 } });
    await finishedRun(db, [found("logo"), uncheckedPage({ url: "https://shop.example/a" }), uncheckedPage({ url: "https://shop.example/b" })], at(3_000));
    await finishedRun(db, [found("logo", "map")], at(4_000));
    await changes().tick();
    expect(await changed()).toMatchObject({ before: whole.id, totals: { new: 1 } });
  });

  test("are counted since another run when the one before is deleted, and since that one when it is restored", async () => {
    const first = await finishedRun(db, [found("logo")], at(1_000));
    const second = await finishedRun(db, [found("logo", "map")], at(2_000));
    await finishedRun(db, [found("logo", "map", "hero")], at(3_000));
    const lists = createRunLists({ db, runs: runsOf(db), forgetChanges: changes().forgetOutdated });
    await changes().tick();
    expect(await changed()).toMatchObject({ before: second.id, totals: { new: 1 } });
    await lists.remove("ada", [first.id]);
    expect(await changed(), "the one before is still there").toMatchObject({ before: second.id });
    await lists.restore("ada", (await lists.latestRemoval("ada"))?.at ?? 0);
    await changes().tick();
    await lists.remove("ada", [second.id]);
    expect(await changed()).toBeNull();
    await changes().tick();
    expect(await changed()).toMatchObject({ before: first.id, totals: { new: 2 } });
    await lists.restore("ada", (await lists.latestRemoval("ada"))?.at ?? 0);
    await changes().tick();
    expect(await changed()).toMatchObject({ before: second.id, totals: { new: 1 } });
  });

  test("are counted since another run when the one before is deleted, although one that saw less came between", async () => {
    const whole = await finishedRun(db, [found("logo")], at(1_000));
    const little = await finishedRun(db, [found("logo"), uncheckedPage({ url: "https://shop.example/a" }), uncheckedPage({ url: "https://shop.example/b" })], at(2_000));
    const latest = await finishedRun(db, [found("logo", "map")], at(3_000));
    const lists = createRunLists({ db, runs: runsOf(db), forgetChanges: changes().forgetOutdated });
    await changes().tick();
    expect(await changed()).toMatchObject({ before: whole.id });
    await lists.remove("ada", [whole.id]);
    await changes().tick();
    expect(await changed()).toMatchObject({ before: little.id });
    await lists.remove("ada", [latest.id]);
    await lists.restore("ada", (await lists.latestRemoval("ada"))?.at ?? 0);
    expect(await changed(), "it is compared with the same run as before").toMatchObject({ before: little.id });
  });

  test("are counted again when a new element is accepted, and when that ends", async () => {
    const first = await finishedRun(db, [found("logo")], at(1_000));
    const second = await finishedRun(db, [found("logo", "hero")], at(2_000));
    const other = await finishedRun(db, [found("logo")], { at: 2_000, url: "https://blog.example/" });
    await changes().tick();
    expect(await changed()).toMatchObject({ before: first.id, totals: { new: 1 } });
    const acceptances = createAcceptances({ db });
    const hero = { scope: "element", rule: { source: "axe", ruleId: "image-alt" }, element: { ...picture("hero"), pageUrl: found().url } } as const;
    const { id } = await acceptances.accept("ada", { url: "https://www.shop.example/" }, { ...hero, element: { ...hero.element, pageUrl: "https://www.shop.example/" } }, { kind: "not_a_barrier", lastDay: null, reason: "Decoration" });
    expect((await db.selectFrom("run").select("id").where("changes", "is", null).execute()).map((run) => run.id)).toEqual([second.id]);
    await acceptances.accept("ada", second, hero, { kind: "not_a_barrier", lastDay: null, reason: "Decoration" });
    await changes().tick();
    expect(await changed()).toMatchObject({ totals: { new: 0, persisting: 1 } });
    expect(await acceptances.end("eve", id)).toBe(false);
    expect(await acceptances.end("ada", id)).toBe(true);
    expect(await changed()).toBeNull();
    expect((await db.selectFrom("run").select("changes").where("id", "=", other.id).executeTakeFirst())?.changes).not.toBeNull();
  });

  test("are counted again when an acceptance ends by its last day, once", async () => {
    await finishedRun(db, [found("logo")], at(1_000));
    const second = await finishedRun(db, [found("logo", "hero")], at(2_000));
    let time = Date.UTC(2026, 10, 20, 12);
    const hero = { scope: "element", rule: { source: "axe", ruleId: "image-alt" }, element: { ...picture("hero"), pageUrl: found().url } } as const;
    await createAcceptances({ db, now: () => time }).accept("ada", second, hero, { kind: "will_be_fixed", lastDay: "2026-11-21", reason: "In December" });
    const counted = changes(() => time);
    await counted.tick();
    time += 86_400_000;
    await counted.tick();
    expect(await changed()).toMatchObject({ totals: { new: 0 } });
    time += 86_400_000;
    await counted.tick();
    expect(await changed()).toMatchObject({ totals: { new: 1 } });
    // Also after a restart.
    const compared = vi.fn(createHistories({ db }).compare);
    const acceptances = createAcceptances({ db, now: () => time });
    await createRunChanges({ db, histories: { earlier: createHistories({ db }).earlier, compare: compared }, acceptances, now: () => time }).tick();
    expect(compared).not.toHaveBeenCalled();
  });

  test.each(["before", "after"])("are right when an acceptance overtakes one of two counts, stored %s the other", async (order) => {
    await finishedRun(db, [found("logo")], at(1_000));
    const second = await finishedRun(db, [found("logo", "hero")], at(2_000));
    const acceptances = createAcceptances({ db });
    const histories = createHistories({ db, acceptances });
    const rule = { source: "axe", ruleId: "image-alt" } as const;
    const overtaken = async (...runs: Parameters<typeof histories.compare>) => {
      const comparison = await histories.compare(...runs);
      await acceptances.accept("ada", second, { scope: "element", rule, element: { ...picture("hero"), pageUrl: found().url } }, { kind: "not_a_barrier", lastDay: null, reason: "Decoration" });
      if (order === "after") await changes().tick();
      return comparison;
    };
    await createRunChanges({ db, histories: { earlier: histories.earlier, compare: overtaken }, acceptances }).tick();
    if (order === "before") {
      expect(await changed()).toBeNull();
      await Promise.all([changes().tick(), changes().tick()]);
    }
    expect(await changed()).toMatchObject({ totals: { new: 0, persisting: 1 } });
  });

  test("are none for the first run, and never claimed where the elements are gone", async () => {
    await finishedRun(db, [found("logo")], at(1_000));
    await changes().tick();
    expect(await changed()).toEqual({ before: null });
    await finishedRun(db, [found("logo")], at(2_000, { evidence: "gone" }));
    await changes().tick();
    expect(await changed()).toEqual({ before: null });
  });

  test("are none any more when the earlier run has lost its elements", async () => {
    const first = await finishedRun(db, [found("logo")], at(1_000));
    await finishedRun(db, [found("logo", "hero")], at(2_000));
    await changes().tick();
    expect(await changed()).toMatchObject({ before: first.id });
    await db.updateTable("run").set({ evidence: "gone" }).where("id", "=", first.id).execute();
    expect(await changed()).toEqual({ before: null, isGone: true });
  });
});

test.each(["https://shop.example", "http://shop.example", "http://localhost:3000", "https://xn--mller-kva.example:8443", "http://[::1]:8080"])(
  "the id of a website leads back to it: %s",
  (origin) => expect(originOf(websiteId(origin))).toBe(origin),
);

test.each(["", "http:", "http:8080", "a/b", "a?b", "user@a", "HTTP://x", "https://x"])("%j is no id of a website", (id) => {
  const origin = originOf(id);
  // A host named `http` may have a port.
  expect(origin === null || websiteId(origin) === id).toBe(true);
  if (id !== "http:8080") expect(origin).toBeNull();
});
