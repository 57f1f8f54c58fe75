import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import type { ProviderSubscription } from "~/billing/provider";
import { entitlementOfPlan } from "~/billing/plans/plan-entitlement";
import { PLANS, type PlanKey } from "~/billing/plans/plans";
import { createEvidence } from "~/findings/evidence.server";
import { createExports } from "~/reports/exports/export.server";
import { createFindings } from "~/findings/finding.server";
import { createHistories } from "~/monitoring/history.server";
import { changesView } from "~/monitoring/history-views.server";
import { createScanRequests } from "~/runs/scan-request.server";
import { createPages } from "~/runs/page.server";
import { createPurchases } from "~/billing/purchase.server";
import { createReportEntitlements, NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { lockedReport } from "~/reports/overview.server";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createReports } from "~/reports/report.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import { createReviews } from "~/reports/review/review.server";
import type { Run } from "~/runs/run";
import { createReportPdfs } from "~/reports/pdf/run-report.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { PlanTable } from "~/site/home/plan-table";
import * as categoryPage from "~/routes/report/category";
import * as criteriaPage from "~/routes/report/criteria";
import * as overviewPage from "~/routes/report/overview";
import * as rulePage from "~/routes/report/rule";
import { loader as elementLoader } from "~/routes/report/element";
import { loader as pictureLoader } from "~/routes/report/pictures/element";
import { csvParts } from "~/reports/exports/csv";
import { earlParts } from "~/reports/exports/earl";
import { jsonParts } from "~/reports/exports/json";
import { sarifParts } from "~/reports/exports/sarif";
import type { FindingResult } from "~/scan/types";
import german from "locales/de/home.json";
import germanReport from "locales/de/report.json";
import english from "locales/en/home.json";
import englishReport from "locales/en/report.json";
import { subscription } from "../../support/billing/bought";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun, runsOf, type FinishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { strictSchema } from "../../support/reports/strict-schema";
import { sharedContext, sharedReport } from "../../support/reports/shared-report";

const SHOP = "https://shop.example/";
/** Text that only the withheld elements contain. */
const SECRET = "secret-place";
const TARGET_SIZE = ["cat.sensory-and-visual-cues", "wcag22aa", "wcag258"];

let db: Db;

beforeEach(async () => {
  db = await freshDatabase();
  await addUsers(db, "ada");
});

const hidden = (count: number) => Array.from({ length: count }, (_, index) => element({ target: [`#${SECRET}-${index}`], html: `<a id="${SECRET}-${index}">`, impact: "serious" }));
const small = (more: Partial<FindingResult> = {}) => finding("target-size", { tags: TARGET_SIZE, impact: "critical", elementCount: 7, elements: hidden(7), ...more });
const page = (path = "") =>
  checkedPage({
    url: `${SHOP}${path}`,
    findings: {
      violations: [finding("label", { impact: "critical", elementCount: 1, elements: [element({ target: ["#open-place"] })] }), small()],
      incomplete: [small({ impact: "serious", elementCount: 2, elements: hidden(2) })],
      passes: [],
      inapplicable: [],
    },
  });

/** Run requested with the plan Basic. */
const basicRun = (more: FinishedRun = {}) => finishedRun(db, [page(), page("two")], { fullVersion: "2.1", ...more });

const buy = (...subscriptions: Partial<ProviderSubscription>[]) =>
  createPurchases({ db }).store("ada", { subscriptions: subscriptions.map((each) => subscription({ urls: [SHOP], ...each })), payments: [] });

function reportEntitlements() {
  const scanRequests = createScanRequests({ db, runs: runsOf(db), purchases: createPurchases({ db }), open: false, trialScans: 0 });
  return createReportEntitlements({ db, scanRequests, reports: createReports({ db }) });
}

const withheldFrom = async (run: Run) => [...(await reportEntitlements().withheld(run))];

describe("rules that are new in WCAG 2.2", () => {
  test.each([
    ["basic", ["target-size"]],
    ["pro", []],
    ["enterprise", []],
  ] satisfies [PlanKey, string[]][])("are withheld by the plan at the time of reading: %s", async (plan, rules) => {
    const run = await basicRun();
    await buy({ plan, urlLimit: 5 });
    expect(await withheldFrom(run)).toEqual(rules);
  });

  test("are open at once after an upgrade, and stay open in runs requested with Pro", async () => {
    const [before, withPro] = [await basicRun(), await basicRun({ fullVersion: undefined })];
    await buy({ plan: "basic", urlLimit: 1 });
    expect([await withheldFrom(before), await withheldFrom(withPro)]).toEqual([["target-size"], []]);
    await buy({ plan: "pro", urlLimit: 5 });
    expect([await withheldFrom(before), await withheldFrom(withPro)]).toEqual([[], []]);
  });

  test("stay open in runs of Pro after its end, and are withheld in later runs of Basic", async () => {
    const run = await basicRun({ at: 10_000 });
    await buy({ plan: "pro", urlLimit: 5 });
    const ended = subscription({ plan: "pro", urls: [SHOP], status: "canceled" });
    await createPurchases({ db }).store("ada", { subscriptions: [ended], payments: [] }, 20_000);
    await buy({ ...ended }, { id: "sub_2", plan: "basic", urlLimit: 1, createdAt: 30_000 });
    const later = await basicRun({ at: 40_000 });
    expect([await withheldFrom(run), await withheldFrom(later)]).toEqual([[], ["target-size"]]);
  });

  test("are open in old reports, whose runs used the version of their plan", async () => {
    await buy({ plan: "basic", urlLimit: 1 });
    const { id } = await finishedRun(db, [page()], { standard: { version: "2.1", level: "AA" } });
    const run = (await runsOf(db).ofOwner(id, "ada")) as Run;
    expect([run.fullVersion, await withheldFrom(run)]).toEqual(["2.1", []]);
  });

  test("stay open in the buyer's free check, and those shown there are open in all runs of the website", async () => {
    await buy({ plan: "basic", urlLimit: 1 });
    const free = await finishedRun(db, [page()], { scope: "page" });
    const run = await basicRun();
    const elsewhere = await finishedRun(db, [checkedPage({ url: "https://shop.example.org/" })], { fullVersion: "2.1" });
    expect(await withheldFrom(run)).toEqual(["target-size"]);
    await db.updateTable("run").set({ claimed_at: 5_000 }).where("id", "=", free.id).execute();
    expect([await withheldFrom(free), await withheldFrom(run), await withheldFrom(elsewhere)]).toEqual([[], [], ["target-size"]]);
  });

  test("stay withheld if the free check did not show their elements", async () => {
    await buy({ plan: "basic", urlLimit: 1 });
    const worse = ["image-alt", "label", "button-name"].map((rule) => finding(rule, { impact: "critical", elementCount: 50 }));
    const findings = { violations: [...worse, small({ impact: "serious" })], incomplete: [], passes: [], inapplicable: [] };
    const free = await finishedRun(db, [checkedPage({ url: SHOP, findings })], { scope: "page" });
    await db.updateTable("run").set({ claimed_at: 5_000 }).where("id", "=", free.id).execute();
    expect([await withheldFrom(free), await withheldFrom(await basicRun())]).toEqual([[], ["target-size"]]);
  });
});

describe("a rule that is withheld", () => {
  const withheld = new Set(["target-size"]);

  test("is named with its count on every page of the report, and its elements are shown nowhere", async () => {
    const run = await basicRun();
    const shown = (module: Parameters<typeof sharedReport>[2], params = {}, query = "") => sharedReport(db, run, module, { params, query, withheld });
    const overview = await shown(overviewPage);
    expect(overview).toContain("2 violated rules with 16 affected places");
    expect(overview).toContain("1 rule is new in WCAG 2.2. Its name and count are here; its places are in Pro.");
    expect(overview).toContain("WCAG 2.2 AA: WCAG 2.1 in full, what is new in WCAG 2.2 by name and count");
    const category = await shown(categoryPage, { category: "violations" });
    expect(category).toMatch(/Buttons and links too small or too close together in Pro critical 14 places/);
    const rule = await shown(rulePage, { category: "violations", rule: "target-size" });
    expect(rule).toMatch(/14 places.*on 2 pages.*Included in Pro/);
    expect(await shown(criteriaPage)).toMatch(/2\.5\.8 .*failed.*in Pro/);
    const pages = [overview, category, rule, await shown(criteriaPage), await shown(rulePage, { category: "incomplete", rule: "target-size" })];
    for (const text of pages) expect(text).not.toContain(SECRET);
    // A search result would reveal the content.
    expect(await shown(categoryPage, { category: "violations" }, `?q=${SECRET}`)).toContain("0 of 2 rules");
    expect(await shown(rulePage, { category: "violations", rule: "label" })).toContain("#open-place");
  });

  test("has no page and no picture for an element", async () => {
    const run = await basicRun();
    const place = { category: "violations", rule: "target-size", page: "1", position: "0" };
    await expect(elementLoader(sharedContext(db, run, { params: place, withheld }))).rejects.toMatchObject({ status: 303 });
    await expect(pictureLoader(sharedContext(db, run, { params: place, withheld }))).rejects.toMatchObject({ init: { status: 404 } });
  });

  test("is not part of a review", async () => {
    const run = await basicRun();
    const { groups, counts, notListed } = await createReviews({ db }).groups("ada", run, { state: "all", offset: 0, limit: 20, withheld });
    expect([groups, counts.all, notListed]).toEqual([[], 0, 0]);
  });

  test("is not among the rules shown in full before payment", async () => {
    const run = await basicRun();
    const reports = createReports({ db });
    const view = await lockedReport({ reports }, run, await reports.rules(run.id), "en", withheld);
    expect(view.violations.map(({ ruleId }) => ruleId)).toEqual(["label"]);
    expect(view.locked).toMatchObject([{ ruleId: "target-size", elementCount: 14 }]);
    expect(JSON.stringify(view)).not.toContain(SECRET);
  });

  test("is counted in every export, with a note, and its elements are in none", async () => {
    const run = await basicRun();
    const readers = { pages: createPages({ db }), findings: createFindings({ db }), reviews: createReviews({ db }), criterionReviews: createCriterionReviews({ db }), reportEntitlements: { withheld: async () => withheld } };
    const exports = createExports({ ...readers, product: "Rampe", baseUrl: "https://rampe.example" });
    const facts = await exports.facts(run);
    const text = async (parts: AsyncIterable<string>) => {
      let whole = "";
      for await (const part of parts) whole += part;
      return whole;
    };
    const files = {
      json: await text(jsonParts(facts, exports.stats(run), exports.pages(run))),
      csv: await text(csvParts(facts, exports.pages(run))),
      earl: await text(earlParts(facts, exports.pages(run))),
      sarif: await text(sarifParts(facts, exports.pages(run))),
    };
    for (const [name, file] of Object.entries(files)) {
      expect(file, name).toContain("target-size");
      expect(file, name).toContain("open-place");
      expect(file, name).not.toContain(SECRET);
      if (name !== "json") expect(file, name).toMatch(/7 elements: new in WCAG 2\.2, listed in the plan Pro/);
      if (name !== "json") expect(file, name).toContain("WCAG 2.1 is included in full");
    }
    const schema = JSON.parse(readFileSync("public/schema/run-1.json", "utf8")) as object;
    const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
    expect(ajv.compile(strictSchema(schema))(JSON.parse(files.json))).toBe(true);
    const { run: head, stats, pages } = JSON.parse(files.json) as { run: object; stats: object; pages: { violations: { ruleId: string }[] }[] };
    expect(head).toMatchObject({ standard: "WCAG 2.2 AA", inFull: "WCAG 2.1", withheldRules: ["target-size"] });
    expect(stats).toMatchObject({ violations: 4, violatedRules: 2, elements: 16 });
    expect(pages[0]?.violations.find(({ ruleId }) => ruleId === "target-size")).toMatchObject({ elementCount: 7, withheld: true, nodes: [] });
  });

  test("is named with its count in the PDF, without its elements", async () => {
    const run = await basicRun();
    const sources = { acceptances: createAcceptances({ db }), reports: createReports({ db }), pages: createPages({ db }), evidence: createEvidence({ db }), reviews: createReviews({ db }), criterionReviews: createCriterionReviews({ db }) };
    const pdf = (readable: ReadonlySet<string>) =>
      createReportPdfs({ ...sources, reportEntitlements: { withheld: async () => readable }, reportCovers: { shownFor: async () => null }, printer: { print: async () => null }, log: () => {}, operator: null, baseUrl: "https://rampe.example" }).html(run, "en");
    const html = await pdf(withheld);
    expect(html).toContain("New in WCAG 2.2: the plan Basic has name and count, the places are in Pro.");
    expect(html).toContain("WCAG 2.2 AA: WCAG 2.1 in full, what is new in WCAG 2.2 by name and count");
    expect(html).toMatch(/14 places on 2 pages/);
    expect(html).not.toContain(SECRET);
    expect(await pdf(NOTHING_WITHHELD)).toContain(SECRET);
  });

  test("is compared by name and count", async () => {
    const [before, now] = [await basicRun(), await basicRun({ at: 2_000 })];
    const view = changesView(await createHistories({ db }).compare(before, now), "en", [...withheld]);
    expect(view.rules.persisting).toMatchObject([{ ruleId: "target-size", count: 14, isLocked: true, groups: [] }, { ruleId: "label" }]);
    const gone = await finishedRun(db, [checkedPage({ url: SHOP })], { at: 3_000 });
    expect(JSON.stringify(changesView(await createHistories({ db }).compare(now, gone), "en", [...withheld]))).not.toContain(SECRET);
  });
});

test("a run against WCAG 2.2 does not count rules as new that an earlier one against 2.1 did not check", async () => {
  const plain = checkedPage({ url: SHOP, findings: { ...page().findings, violations: page().findings.violations.slice(0, 1), incomplete: [] } });
  const before = await finishedRun(db, [plain], { standard: { version: "2.1", level: "AA" } });
  const now = await finishedRun(db, [page()], { at: 2_000 });
  const { totals, rules, ...view } = changesView(await createHistories({ db }).compare(before, now), "en");
  expect(totals).toMatchObject({ new: 0, engine: 7, persisting: 1 });
  expect(rules.engine).toMatchObject([{ ruleId: "target-size" }]);
  expect([view.before.standard, view.now.standard]).toEqual(["WCAG 2.1 AA", "WCAG 2.2 AA"]);
});

test.each([
  [german, germanReport],
  [english, englishReport],
])("plan cards and reports describe Basic in the same words, and each card names the standard", (home, report) => {
  const { basic, pro, enterprise } = home.pricing;
  expect(basic.features.join()).toContain(report.inPart);
  for (const { features } of [basic, pro, enterprise]) expect(features.join()).toContain("WCAG 2.2, ");
});

describe("the table of plans", () => {
  const cells = (locale: "de" | "en", offers: Parameters<typeof PlanTable>[0]["offers"] = []) => {
    const markup = renderToStaticMarkup(<I18nextProvider i18n={textsOf(locale)}><PlanTable offers={offers} mostPages={1_200} /></I18nextProvider>);
    const rows = markup.split("<tr").map((row) => [...row.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, text]) => text));
    return new Map(rows.map(([name = "", ...more]) => [name, more]));
  };

  test("says what the plans really include, with their numbers of websites and the limit of pages", () => {
    const table = cells("en");
    expect(table.get("Websites")).toEqual(PLANS.map(({ domains }) => (domains === null ? "unlimited" : String(domains))));
    expect(table.get("Pages per scan of a website")).toEqual(Array(3).fill("up to 1,200"));
    expect(cells("de").get("Seiten je Prüfung einer Website")).toEqual(Array(3).fill("bis zu 1.200"));
    expect(textsOf("de").getFixedT(null, "home")("pricing.basic.features", { returnObjects: true, pages: 1_200 }).join()).toContain("bis zu 1.200 Seiten");
    expect(table.get("Your own cover of the PDF: logo, name and color")).toEqual(PLANS.map(({ key }) => (entitlementOfPlan(key).ownCover ? "yes" : "no")));
    expect(table.get("WCAG levels")).toEqual(PLANS.map(({ key }) => (entitlementOfPlan(key).level === "AAA" ? "A, AA and AAA" : "A and AA")));
    expect(table.get("New in WCAG 2.2")).toEqual(PLANS.map(({ key }) => (entitlementOfPlan(key).fullVersion === "2.2" ? "in full" : "by name and count")));
    for (const all of ["Accept findings, with a reason and an end date", "Notes on findings", "Email when the scan of a whole website is finished"]) expect(table.get(all)).toEqual(["yes", "yes", "yes"]);
    const ofSubscribers = ["Repeated scans (daily, weekly, monthly)", "Stored credentials for repeated scans of a website that is not public", "Email when something got worse or a repeated scan fails"];
    for (const each of ofSubscribers) expect(table.get(each), each).toEqual(Array(3).fill("yes, with a subscription"));
  });

  test("says the number of websites that is sold, where the operator has changed it", () => {
    expect(cells("de", [{ plan: "pro", urlLimit: 8, ways: [] }]).get("Websites")).toEqual(["1", "8", "beliebig viele"]);
  });
});
