import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createReports, type Reports } from "~/reports/report.server";
import type { Run } from "~/runs/run";
import type { CheckedPage, ElementResult, FindingResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";

const SHOP = "https://shop.example/";

let db: Db;
let reports: Reports;

beforeEach(async () => {
  db = await freshDatabase();
  reports = createReports({ db });
});

function pageWith(path: string, found: Partial<CheckedPage["findings"]>, more: Partial<CheckedPage> = {}): CheckedPage {
  const nothing = { violations: [], incomplete: [], passes: [], inapplicable: [] };
  return checkedPage({ url: `${SHOP}${path}`, title: `Page ${path}`, findings: { ...nothing, ...found }, ...more });
}

const broken = (ruleId: string, impact: FindingResult["impact"], elements: ElementResult[], elementCount = elements.length) =>
  finding(ruleId, { impact, elements, elementCount });
const named = (...names: string[]) => names.map((name) => element({ target: [`#${name}`], html: `<img id="${name}">` }));
const all = (run: Run, ruleId: string, more: { pageId?: number; offset?: number; limit?: number } = {}) =>
  reports.locationsOf(run.id, { category: "violations", ruleId, offset: 0, limit: 100, ...more });
const pageIds = async (run: Run) => (await reports.pages(run.id, { limit: 100 })).pages.map(({ id }) => id);

describe("the rules of a run", () => {
  test("are listed once for all pages, the worst and most frequent first", async () => {
    const run = await finishedRun(db, [
      pageWith("", {
        violations: [broken("region", "moderate", [], 900), broken("label", "critical", named("a", "b", "c")), broken("list", "serious", [], 5)],
        passes: [finding("image-alt", { elementCount: 2 })],
      }),
      pageWith("two", { violations: [broken("image-alt", "critical", named("d", "e")), broken("list", "serious", [], 1)], incomplete: [broken("label", "serious", named("f"))] }),
      pageWith("three", { violations: [broken("image-alt", "critical", named("g"))], inapplicable: [finding("marquee")] }),
      uncheckedPage({ url: `${SHOP}gone` }),
    ]);
    expect((await reports.rules(run.id)).map(({ category, ruleId, impact, pages, elements }) => [category, ruleId, impact, pages, elements])).toEqual([
      ["violations", "image-alt", "critical", 2, 3],
      ["violations", "label", "critical", 1, 3],
      ["violations", "list", "serious", 2, 6],
      ["violations", "region", "moderate", 1, 900],
      ["incomplete", "label", "serious", 1, 1],
      ["passes", "image-alt", null, 1, 2],
      ["inapplicable", "marquee", null, 1, 0],
    ]);
  });

  test("that passed on one page are marked if they failed or ask on another one", async () => {
    const passes = [finding("image-alt", { elementCount: 2 }), finding("label", { elementCount: 1 }), finding("list", { elementCount: 1 })];
    const run = await finishedRun(db, [pageWith("", { passes }), pageWith("two", { violations: [broken("image-alt", "critical", named("a"))], incomplete: [broken("label", "serious", named("b"))] })]);
    const marked = (await reports.rules(run.id)).filter(({ isMixed }) => isMixed).map(({ category, ruleId }) => [category, ruleId]);
    expect(marked).toEqual([["passes", "image-alt"], ["passes", "label"]]);
  });

  test("have their worst impact of all pages", async () => {
    const run = await finishedRun(db, [
      pageWith("", { violations: [broken("color-contrast", "minor", named("a"))] }),
      pageWith("two", { violations: [broken("color-contrast", "serious", named("b"))] }),
      pageWith("three", { violations: [broken("color-contrast", null, named("c"))] }),
    ]);
    expect(await reports.rules(run.id)).toMatchObject([{ ruleId: "color-contrast", impact: "serious", pages: 3, elements: 3 }]);
  });

  test("are not listed twice if the engine was updated during the run", async () => {
    const run = await finishedRun(db, [pageWith("", { violations: [broken("label", "serious", named("a"))] })]);
    const newer = await finishedRun(db, [pageWith("two", { violations: [broken("label", "critical", named("b", "c"))] })], { engines: [{ name: "axe-core", version: "5.0.0" }] });
    await db.updateTable("page").set({ run_id: run.id, position: 1 }).where("run_id", "=", newer.id).execute();
    expect(await reports.rules(run.id)).toMatchObject([{ ruleId: "label", impact: "critical", pages: 2, elements: 3 }]);
    expect(await all(run, "label")).toMatchObject({ total: 3, stored: 3 });
  });

  test("of one page contain only this page's findings, and never those of another run", async () => {
    const other = await finishedRun(db, [pageWith("", { violations: [broken("label", "critical", named("hers"))] })], { owner: "eve" });
    const run = await finishedRun(db, [
      pageWith("", { violations: [broken("image-alt", "critical", named("a"))] }),
      pageWith("two", { violations: [broken("image-alt", "critical", named("b", "c"))] }),
    ]);
    const [, two = 0] = await pageIds(run);
    const [foreign = 0] = await pageIds(other);
    expect(await reports.rules(run.id, { pageId: two })).toMatchObject([{ ruleId: "image-alt", pages: 1, elements: 2 }]);
    expect(await reports.rules(run.id, { pageId: foreign })).toEqual([]);
    expect(await reports.page(run.id, foreign)).toBeUndefined();
    expect(await reports.page(run.id, two)).toMatchObject({ url: `${SHOP}two` });
    expect((await all(run, "label")).groups).toEqual([]);
    expect(await reports.location(run.id, { category: "violations", ruleId: "label", pageId: foreign, position: 0 })).toBeUndefined();
  });
});

describe("the elements of a rule", () => {
  const logo = element({ target: ["header > img"], html: '<img class="logo">' });

  test("are grouped if they look the same, the most frequent first, with their pages", async () => {
    const run = await finishedRun(db, [
      pageWith("", { violations: [broken("image-alt", "critical", [...named("hero"), logo])] }),
      ...["a", "b", "c", "d", "e", "f"].map((path) => pageWith(path, { violations: [broken("image-alt", "critical", [logo, logo])] })),
    ]);
    const { groups, total, stored } = await all(run, "image-alt");
    expect({ total, stored }).toEqual({ total: 2, stored: 14 });
    expect(groups.map(({ elements, pages }) => [elements, pages])).toEqual([[13, 7], [1, 1]]);
    expect(groups[0]?.locations.map(({ pageUrl, position }) => [pageUrl.slice(SHOP.length), position])).toEqual([["", 1], ["a", 0], ["a", 1], ["b", 0], ["b", 1]]);
    expect(groups[1]?.locations).toMatchObject([{ html: '<img id="hero">', pageTitle: "Page ", pageLang: "de", position: 0 }]);
  });

  test("are paginated without gaps or duplicates", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const run = await finishedRun(db, [pageWith("", { violations: [broken("image-alt", "critical", named(...names))] })]);
    const seen: string[] = [];
    for (let offset = 0; offset < 9; offset += 3) {
      const { groups, total } = await all(run, "image-alt", { offset, limit: 3 });
      expect(total).toBe(7);
      seen.push(...groups.flatMap(({ locations }) => locations.map(({ target }) => String(target[0]))));
    }
    expect(seen.sort()).toEqual(names.map((name) => `#${name}`));
  });

  test("that are not stored individually still count", async () => {
    const run = await finishedRun(db, [pageWith("", { violations: [broken("image-alt", "critical", named("a"), 5_000)] })]);
    const [rule] = await reports.rules(run.id);
    const { stored } = await all(run, "image-alt");
    expect([rule?.elements, stored]).toEqual([5_000, 1]);
  });

  test("can be read individually, with their page", async () => {
    const run = await finishedRun(db, [pageWith("", { violations: [broken("image-alt", "critical", named("a", "b"))], incomplete: [broken("image-alt", null, named("c"))] })]);
    const [pageId = 0] = await pageIds(run);
    const at = { category: "violations", ruleId: "image-alt", pageId, position: 1 } as const;
    expect(await reports.location(run.id, at)).toMatchObject({ target: ["#b"], pageUrl: SHOP, position: 1, pageId });
    expect(await reports.location(run.id, { ...at, category: "incomplete", position: 0 })).toMatchObject({ target: ["#c"] });
    for (const wrong of [{ position: 2 }, { position: NaN }, { pageId: NaN }, { pageId: -1 }, { ruleId: "" }]) {
      expect(await reports.location(run.id, { ...at, ...wrong })).toBeUndefined();
    }
  });
});

describe("a search finds a text", () => {
  const search = async (text: string, found: Partial<ElementResult>) => {
    const run = await finishedRun(db, [pageWith("", { violations: [broken("label", "critical", [element({ target: ["#x"], html: "<i>", ...found })])] })]);
    return [...(await reports.rulesWithText(run.id, "violations", { text }))];
  };

  test.each<[string, string, Partial<ElementResult>]>([
    ["in the source, in upper or lower case", "NEWSLETTER", { html: '<input class="Newsletter">' }],
    ["in a selector", "#main > .Teaser", { target: ["#main > .teaser"] }],
    ["in a selector with quotation marks, as the report shows it", 'a[href$="contact"]', { target: ['a[href$="contact"]'] }],
    ["with umlauts", "ÄRZTE", { html: "<a>ÄRZTE</a>" }],
    ["literally, not as a pattern", "50%_off", { html: "<b>50%_off</b>" }],
  ])("%s", async (_where, text, found) => {
    expect(await search(text, found)).toEqual(["label"]);
  });

  test("and finds nothing else", async () => {
    expect(await search("50%off", { html: "<b>50 and off</b>" })).toEqual([]);
    expect(await search("', 1) or 1=1 --", {})).toEqual([]);
  });

  test("on one page", async () => {
    const found = (...names: string[]) => ({ violations: [broken("label", "critical", named(...names))] });
    const run = await finishedRun(db, [pageWith("", found("newsletter")), pageWith("two", found("mail"))]);
    const [home, second] = await pageIds(run);
    const on = async (pageId?: number) => [...(await reports.rulesWithText(run.id, "violations", { text: "newsletter", pageId }))];
    expect([await on(home), await on(second), await on()]).toEqual([["label"], [], ["label"]]);
  });

  test("in one category", async () => {
    const run = await finishedRun(db, [pageWith("", { violations: [broken("label", "critical", named("a"))], incomplete: [broken("list", null, named("a"))] })]);
    expect([...(await reports.rulesWithText(run.id, "incomplete", { text: "id=\"a\"" }))]).toEqual(["list"]);
  });
});

describe("the pages of a run", () => {
  const pages = [
    pageWith("", { violations: [broken("label", "critical", named("a", "b")), broken("list", "serious", named("c"), 9)], incomplete: [broken("region", null, named("d"))] }),
    pageWith("slow", {}, { partial: ["target-size", "region"], stages: [{ stage: "analysis", ms: 300, limitMs: 30_000 }] }),
    uncheckedPage({ url: `${SHOP}gone`, reason: "http_status", detail: { httpStatus: 404 } }),
    pageWith("moved", {}, { finalUrl: `${SHOP}there` }),
  ];

  test("are listed in the order of checking with their findings, with pagination", async () => {
    const run = await finishedRun(db, pages);
    const first = await reports.pages(run.id, { limit: 3 });
    expect(first.pages).toMatchObject([
      { url: SHOP, status: "succeeded", violations: 2, elements: 11, incomplete: 1, partial: 0, reason: null },
      { url: `${SHOP}slow`, status: "succeeded", violations: 0, elements: 0, incomplete: 0, partial: 2, durationMs: 812, stages: [{ stage: "analysis", ms: 300, limitMs: 30_000 }] },
      { url: `${SHOP}gone`, status: "failed", reason: "http_status", violations: 0 },
    ]);
    const second = await reports.pages(run.id, { limit: 3, after: first.next ?? -1 });
    expect(second).toMatchObject({ pages: [{ url: `${SHOP}moved`, finalUrl: `${SHOP}there` }], next: null });
  });

  test("can be filtered by those not checked, or only partly", async () => {
    const unseen = pageWith("frame", {}, { gaps: { ...checkedPage().gaps, frames: ["https://ads.example/"] } });
    const run = await finishedRun(db, [...pages, unseen]);
    const { pages: failed, next } = await reports.pages(run.id, { limit: 2, failedOnly: true });
    expect(failed.map(({ url }) => url)).toEqual([`${SHOP}slow`, `${SHOP}gone`]);
    const rest = await reports.pages(run.id, { after: next ?? -1, limit: 2, failedOnly: true });
    expect(rest).toMatchObject({ pages: [{ url: unseen.url, isPartly: true, partial: 0 }], next: null });
  });
});

describe("the places of a rule", () => {
  test("are listed one by one in the order of the site, each with what comes before and after", async () => {
    const found = (...names: string[]) => ({ violations: [broken("image-alt", "critical", named(...names))] });
    const run = await finishedRun(db, [pageWith("", found("a", "b")), pageWith("two", { violations: [broken("label", "critical", named("x"))] }), pageWith("three", found("c"))]);
    const [home = 0, , third = 0] = await pageIds(run);
    const at = { category: "violations", ruleId: "image-alt" } as const;
    const list = async (more: object = {}) => {
      const { places, total } = await reports.placesOf(run.id, { ...at, offset: 0, limit: 2, ...more });
      return [places.map(({ target }) => target.join()), total];
    };
    expect(await list()).toEqual([["#a", "#b"], 3]);
    expect(await list({ offset: 2 })).toEqual([["#c"], 3]);
    expect(await list({ pageId: third })).toEqual([["#c"], 1]);
    const around = (pageId: number, position: number) => reports.neighboursOf(run.id, { ...at, pageId, position });
    expect(await around(home, 0)).toEqual({ previous: null, next: { pageId: home, position: 1 }, number: 1, total: 3 });
    expect(await around(home, 1)).toEqual({ previous: { pageId: home, position: 0 }, next: { pageId: third, position: 0 }, number: 2, total: 3 });
    expect(await around(third, 0)).toEqual({ previous: { pageId: home, position: 1 }, next: null, number: 3, total: 3 });
    const onPage = await reports.neighboursOf(run.id, { ...at, pageId: home, position: 1 }, { ofPage: true });
    expect(onPage).toEqual({ previous: { pageId: home, position: 0 }, next: null, number: 2, total: 2 });
  });
});
