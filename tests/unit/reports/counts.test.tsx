import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { StaticRouter } from "react-router-dom/server";
import { describe, expect, test } from "vitest";
import { AtAGlance } from "~/reports/check/at-a-glance";
import { Failure } from "~/reports/check/failure";
import { RunState } from "~/runs/view/run-state";
import { Usage } from "~/runs/view/usage";
import { UsagePreview } from "~/runs/view/usage-preview";
import { textsOf } from "~/platform/i18n/i18n.server";
import { createRunLists } from "~/runs/list.server";
import { createPages } from "~/runs/page.server";
import { runRows } from "~/reports/run-rows.server";
import * as categoryPage from "~/routes/report/category";
import * as elementPage from "~/routes/report/element";
import * as overviewPage from "~/routes/report/overview";
import * as rulePage from "~/routes/report/rule";
import { noFacts } from "~/scan/crawl/facts";
import type { CheckedPage, PageResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { finishedRun, runsOf, type FinishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { sharedMarkup, sharedReport } from "../../support/reports/shared-report";

const SHOP = "https://shop.example/";
const NOTHING = { violations: [], incomplete: [], passes: [], inapplicable: [] };

const cleanPage = (path = "", more: Partial<CheckedPage> = {}) => checkedPage({ url: `${SHOP}${path}`, findings: NOTHING, ...more });
const gone = (path: string) => uncheckedPage({ url: `${SHOP}${path}` });
const violating = (path: string, ...rules: string[]) =>
  checkedPage({
    url: `${SHOP}${path}`,
    findings: {
      ...NOTHING,
      violations: rules.map((rule) => finding(rule, { impact: "serious", elementCount: 5, elements: [element()] })),
      passes: [finding("document-title", { elementCount: 41 })],
    },
  });

async function reported(results: PageResult[], order: FinishedRun = {}) {
  const db = await freshDatabase();
  const run = await finishedRun(db, results, order);
  return {
    run,
    row: (await runRows((await createRunLists({ db, runs: runsOf(db) }).list("ada", { limit: 1 })).runs, createPages({ db })))[0],
    overview: () => sharedReport(db, run, overviewPage),
    category: (category: string, query = "") => sharedReport(db, run, categoryPage, { params: { category }, query }),
  };
}

const state = (pages: number, failedPages: number, status: "succeeded" | "failed" | "canceled" = "succeeded") =>
  renderToStaticMarkup(
    createElement(I18nextProvider, { i18n: textsOf("en") }, createElement(RunState, { status, scope: "site", pages, failedPages, knownPages: pages })),
  );

describe("every count has one unit", () => {
  test("the list counts each violated rule once, as the report does, with the elements beside it", async () => {
    const { row, overview } = await reported([violating("", "label", "list"), violating("two", "label"), violating("three", "label", "region")]);
    expect(row).toMatchObject({ violatedRules: 3, elements: 25 });
    expect(await overview()).toContain("3 violated rules with 25 affected places");
  });

  test("a passed rule has checked places, and no impact", async () => {
    const { category } = await reported([violating("", "label")]);
    const passes = await category("passes");
    expect(passes).toContain("41 checked places");
    expect(passes).not.toMatch(/affected|not rated/);
    expect(await category("violations")).toContain("5 places");
  });

  test("the list shows whether all of a run was checked", async () => {
    const partly = { ...cleanPage("a"), partial: ["label"] };
    const limited = { ...noFacts(1), pages: 1, limited: true };
    const elsewhere = { ...noFacts(1), pages: 1, ledElsewhere: "https://other.example/" };
    expect((await reported([cleanPage("")])).row).toMatchObject({ violatedRules: 0, isWhole: true });
    expect((await reported([cleanPage(""), partly])).row).toMatchObject({ violatedRules: 0, isWhole: false });
    expect((await reported([cleanPage("")], { crawl: limited })).row).toMatchObject({ violatedRules: 0, isWhole: false });
    expect((await reported([cleanPage("")], { crawl: elsewhere })).row).toMatchObject({ violatedRules: 0, isWhole: false });
    expect((await reported([cleanPage(""), gone("a")])).row).toMatchObject({ violatedRules: 0, isWhole: false });
  });

  test("only sitemaps that could not be read are told", async () => {
    const textWith = async (moreProblems: number) => (await reported([cleanPage()], { scope: "site", crawl: { ...noFacts(1), pages: 1, sitemaps: { files: 1, urls: 1, problems: [], moreProblems, cut: false } } })).overview();
    expect(await textWith(0)).not.toContain("sitemap");
    expect(await textWith(2)).toContain("2 more sitemaps could not be read.");
  });

  test("a list without violations shows no alarm", () => {
    const impacts = { critical: 0, serious: 0, moderate: 0, minor: 0 };
    const tiles = (violations: number) =>
      renderToStaticMarkup(
        createElement(I18nextProvider, { i18n: textsOf("en") }, createElement(AtAGlance, { counts: { violations, incomplete: 0, passes: 1, inapplicable: 1 }, impacts })),
      );
    expect(tiles(0)).not.toContain("tile-violations");
    expect(tiles(1)).toContain("tile-violations");
  });
});

describe("the number of a place is that among the places of its rule on its page", () => {
  const SHOWN = { category: "violations", rule: "label" };
  const images = (...names: string[]) => names.map((name) => element({ target: [`#${name}`], html: `<input id="${name}">` }));
  const found = (path: string, ...names: string[]) => checkedPage({ url: `${SHOP}${path}`, findings: { ...NOTHING, violations: [finding("label", { elementCount: names.length, elements: images(...names) })] } });

  test("in lists and on the page of the place; the ranks in whole lists have other names", async () => {
    const db = await freshDatabase();
    const run = await finishedRun(db, [found("", "a1", "a2"), found("two", "a3", "a4")]);
    const [, second = 0] = (await db.selectFrom("page").select("id").orderBy("position").execute()).map(({ id }) => id);
    const shown = (page: Parameters<typeof sharedReport>[2], more = {}, query = "") => sharedReport(db, run, page, { params: { ...SHOWN, ...more }, query, locale: "de" });
    expect((await shown(rulePage, {}, "?list=places")).match(/Stelle \d auf\s+\/\w*/g)).toEqual(["Stelle 1 auf /", "Stelle 2 auf /", "Stelle 1 auf /two", "Stelle 2 auf /two"]);
    const components = await shown(rulePage);
    expect(components.match(/Baustein \d: \d Stellen? auf \d Seiten?/g)?.[0]).toBe("Baustein 1: 4 Stellen auf 2 Seiten");
    expect(components).not.toMatch(/Stelle \d(?! auf)/);
    const place = await shown(elementPage, { page: String(second), position: "1" });
    expect(place).toContain(", Stelle 2");
    expect(place).toContain("Eintrag 4 von 4 in der Liste aller Stellen");
    expect(place).not.toContain("Stelle 4");
  });

  test("of one page leads to the other places of that page alone, and back to its list", async () => {
    const db = await freshDatabase();
    const run = await finishedRun(db, [found("", "a1", "a2"), found("two", "a3", "a4")]);
    const [, second = 0] = (await db.selectFrom("page").select("id").orderBy("position").execute()).map(({ id }) => id);
    const query = `?page=${second}`;
    const list = await sharedMarkup(db, run, rulePage, { params: SHOWN, query: `${query}&list=places`, locale: "de" });
    expect(list).toContain(`/violations/label/${second}/0${query}"`);
    const place = await sharedMarkup(db, run, elementPage, { params: { ...SHOWN, page: String(second), position: "0" }, query, locale: "de" });
    expect(place).toContain("Eintrag 1 von 2 in der Liste dieser Seite");
    expect(place).toContain(`/violations/label/${second}/1${query}"`);
    expect(place).toContain(`/violations/label${query}"`);
  });
});

test.each([
  ["page", "de", "Wir konnten diese Seite nicht prüfen.", "Einzelne Seite:", "Wir haben sie nicht gesehen."],
  ["site", "de", "Wir konnten diese Website nicht prüfen.", "Ganze Website:", "Wir konnten keine ihrer Seiten ansehen."],
  // The product specification requires this heading.
  ["page", "en", "We couldn&#x27;t scan this site.", "Single page:", "we have not seen it."],
  ["site", "en", "We couldn&#x27;t scan this site.", "Whole website:", "we could not look at any of its pages."],
] as const)("a failed scan of a %s says what was scanned, and that nothing was seen (%s)", (scope, locale, heading, scanned, unseen) => {
  const failed = { url: SHOP, scope, reached: null, reason: { kind: "dns" as const, httpStatus: null }, detail: {}, userAgent: "Rampe" };
  const markup = renderToStaticMarkup(
    <I18nextProvider i18n={textsOf(locale)}>
      <StaticRouter location="/">
        <Failure {...failed}>again</Failure>
      </StaticRouter>
    </I18nextProvider>,
  );
  expect(markup).toContain(`<h1>${heading}</h1>`);
  expect(markup).toContain(`${scanned} <span class="address">${SHOP}`);
  expect(markup).toContain(unseen);
});

describe("what a plan counts is called a website, in the right number", () => {
  const shown = (locale: "de" | "en", usage: ReactElement) =>
    renderToStaticMarkup(<I18nextProvider i18n={textsOf(locale)}><StaticRouter location="/">{usage}</StaticRouter></I18nextProvider>);
  const used = (limit: number, trial = 0) => (
    <Usage open={false} unconfirmed={false} trial={{ used: trial, limit: trial }} usage={[{ kind: "subscription", current: 1, limit }, { kind: "payment", current: 1, limit }]} />
  );

  test("in the line above a list", () => {
    expect(shown("de", used(1, 1))).toContain("1 von 1 Website genutzt. Mit Einmalzahlung: 1 von 1 Website genutzt. 1 von 1 Probeprüfung genutzt.");
    expect(shown("de", used(5, 3))).toContain("1 von 5 Websites genutzt. Mit Einmalzahlung: 1 von 5 Websites genutzt. 3 von 3 Probeprüfungen genutzt.");
    // The product specification requires this text.
    expect(shown("en", used(1))).toContain("1 of 1 URLs used. 1 of 1 scans used.");
  });

  test("before a new scan", () => {
    const preview = (covered: string[], room: number) => shown("de", <UsagePreview open={false} unconfirmed={false} covered={covered} room={room} trial={{ used: 0, limit: 0 }} />);
    expect(preview([], 1)).toContain("Genutzt danach: 1 von 1 Website.");
    expect(preview(["https://a.example"], 4)).toContain("Genutzt danach: 2 von 5 Websites.");
  });

  test("pages of a running scan, too", () => {
    const running = (knownPages: number) => shown("de", <RunState status="running" scope="site" pages={0} failedPages={0} knownPages={knownPages} />);
    expect(running(1)).toContain("0 von 1 Seite<");
    expect(running(3)).toContain("0 von 3 Seiten<");
  });
});

describe("pages that were not checked are named", () => {
  test("in a list of runs by number, and instead of done if most were not checked", () => {
    expect(state(67, 0)).toContain("run-state-succeeded");
    expect(state(67, 0)).not.toContain("not checked");
    expect(state(67, 1)).toContain("run-state-succeeded");
    expect(state(67, 1)).toContain("67 pages, 1 of them not checked");
    expect(state(67, 66)).toContain("mostly not checked");
    expect(state(67, 66)).toContain("67 pages, 66 of them not checked");
    expect(state(67, 66)).not.toContain("run-state-succeeded");
    expect(state(1, 1, "failed").match(/not checked/g)).toHaveLength(1);
    expect(state(2, 1, "failed")).toContain("2 pages, 1 of them not checked");
    expect(state(2, 2, "canceled")).toContain("2 pages, 2 of them not checked");
  });

  test("on every page of the report", async () => {
    const { category, overview } = await reported([violating("", "label"), gone("a"), gone("b")]);
    for (const text of [await overview(), await category("passes"), await category("violations")]) expect(text).toContain("Mostly not checked: 2 of 3 pages.");
    const one = await reported([violating("", "label"), cleanPage("a"), gone("b")]);
    expect(await one.overview()).toContain("1 of 3 pages was not checked.");
  });

  const GAPS = { frames: [], closedShadowRoots: 0, resources: 0, concealed: false, unfinished: false, late: [], missing: null };
  test.each([
    ["a page that failed", [cleanPage(), gone("b")], {}],
    ["rules that ran out of time", [cleanPage(), cleanPage("b", { partial: ["list"] })], {}],
    ["a page that broke off", [cleanPage(), cleanPage("b", { gaps: { ...GAPS, unfinished: true } })], {}],
    ["a frame", [cleanPage(), cleanPage("b", { gaps: { ...GAPS, frames: ["https://ads.example/"] } })], {}],
    ["a run that was canceled", [cleanPage()], { status: "canceled" }],
  ] satisfies [string, PageResult[], FinishedRun][])("beside no finding, with %s", async (_, results, order) => {
    const { category } = await reported(results, order);
    const text = await category("violations");
    expect(text).toContain("No findings in what could be checked. That says little yet: part of it is unchecked.");
    expect(text).not.toContain("Looks good");
  });

  test("a site that was completely checked has no such notice", async () => {
    const { category } = await reported([cleanPage(), cleanPage("b", { gaps: { ...GAPS, resources: 3 } })]);
    expect(await category("violations")).toContain("Looks good on our side - no findings to display.");
  });

  test("on the report of one page, the notice is about that page", async () => {
    const { category, run } = await reported([cleanPage(), cleanPage("b", { partial: ["list"] }), gone("c")]);
    expect(run.stats.failedPages).toBe(1);
    expect(await category("violations", "?page=1")).toContain("Looks good");
    expect(await category("violations", "?page=2")).toContain("No findings in what could be checked");
    expect(await category("violations", "?page=3")).not.toMatch(/Looks good|No findings/);
  });
});
