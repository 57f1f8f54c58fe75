import type { Browser, Page } from "puppeteer";
import type { Db } from "db/schema";
import { afterAll, beforeAll } from "vitest";
import { LOCALES, type Locale } from "~/lib/i18n";
import { BARRIERS, openDemoSite } from "../support/demo-site";
import { finishedRun, runsOf } from "../support/finished-runs";
import { databaseOf, newMember, subscribe, type Member } from "../support/members";
import { checkedPage, element, finding, uncheckedPage } from "../support/page-results";
import { idOf, order, scanned, storedReport } from "../support/run-pages";
import { WCAG22AA } from "../support/scanner";
import { look, openBrowser, promiseCleanViews, type Analyses, type View } from "../support/self-scan";
import { startServer, type TestServer } from "../support/server";
import type { Site } from "../support/site";

const REPORT_PARTS = ["violations", "incomplete", "passes", "inapplicable", "criteria", "pages", "pages?failed=1", "changes", "history", "review", "share", "schedule"];

let site: Site;
let server: TestServer;
let db: Db;
let browser: Browser;
const analyses: Analyses = new Map();

beforeAll(async () => {
  [site, browser] = await Promise.all([openDemoSite(), openBrowser()]);
  server = await startServer({ env: { TRIAL_SCANS: "9", TRUST_PROXY: "1", SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, SCAN_PAGE_SECONDS: "120" } });
  db = databaseOf(server);
  await Promise.all(LOCALES.map(async (locale) => look(browser, server.origin, await allViews(locale), locale, analyses)));
}, 400_000);

afterAll(async () => {
  await browser.close();
  await db.destroy();
  await server.stop();
  await site.close();
});

async function allViews(locale: Locale): Promise<View[]> {
  const [ada, empty, trying] = await Promise.all([newMember(server, db, locale), newMember(server, db, locale), newMember(server, db, locale)]);
  await subscribe(db, ada);
  const report = await scanned(ada, { url: site.url("/barriers") });
  const { pages, mixed, failed } = await storeOthers(ada);
  await storedReport(db, trying, "https://locked.example/", BARRIERS.map(({ mark }) => mark));
  const [locked] = await db.selectFrom("run").select("id").where("owner", "=", trying.id).execute();
  const element = async (rule: string) => /\/run\/[\w-]+\/\w+\/[\w-]+\/\d+\/\d+/.exec((await ada.get(`${report}/${rule}`)).text)?.[0] ?? "";
  const waiting = await order(ada, { url: site.url("/silent") });

  const views: [name: string, path: string, more?: Partial<View>][] = [
    ["no runs yet", "/runs", { cookie: empty.cookie }],
    ["runs in every state", "/runs"],
    ["no run that fits", "/runs?q=nowhere&status=failed"],
    ["a new run", "/runs/new"],
    ["a new run on trial", "/runs/new", { cookie: trying.cookie }],
    ["a refused order", "/runs/new", { prepare: refuse }],
    ["a run under way", waiting],
    ["a failed run", failed],
    ["a locked report", `/run/${locked?.id}`, { cookie: trying.cookie }],
    ["a report", report],
    ["a report with gaps", mixed],
    ["the pages of a site", pages],
    ...REPORT_PARTS.map((part): [string, string] => [`a report's ${part}`, `${report}/${part}`]),
    ["a filtered list", `${report}/violations?impact=serious&q=nothing`],
    ["a rule", `${report}/violations/image-alt`],
    ["a rule about contrast", `${report}/violations/color-contrast`],
    ["a rule that needs a person", `${report}/incomplete/color-contrast`],
    ["a rule that was met", `${report}/passes/document-title`],
    ["an element", await element("violations/image-alt")],
    ["an element that needs a person", await element("incomplete/color-contrast")],
    ["nothing to delete", "/runs/delete"],
    ["runs to delete", `/runs/delete?run=${idOf(report)}&run=${idOf(failed)}`],
  ];
  return views.map(([name, path, more]) => ({ name, path, cookie: ada.cookie, ...more }));
}

/** What a small site cannot show: failed, partial and canceled pages, and a deletion that can be undone. */
async function storeOthers(ada: Member) {
  const owner = ada.id;
  const url = "https://shop.example/";
  const gaps = { frames: ["https://ads.example/"], closedShadowRoots: 1, resources: 2, concealed: true, unfinished: true };
  const repeated = Array.from({ length: 30 }, (_, index) => element({ target: [`#logo-${index}`], html: '<img class="logo">' }));
  const violations = [finding("image-alt", { impact: "critical", elementCount: 40, elements: repeated })];
  const partial = checkedPage({ url, gaps, partial: ["target-size"], findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
  const mixed = await finishedRun(db, [partial, uncheckedPage({ url: `${url}gone` })], { owner, at: Date.now(), leftOut: ["/archive/"], maxPages: 9 });
  const failed = await finishedRun(db, [uncheckedPage({ url: "https://gone.example/" })], { owner, at: Date.now() });
  const runs = runsOf(db);
  const canceled = await runs.start({ url: "https://slow.example/", scope: "site", standard: WCAG22AA, owner });
  await runs.cancel(canceled.id, owner);
  const thrown = await storedReport(db, ada, "https://old.example/");
  await ada.post("/runs/delete", { run: idOf(thrown) });
  return { pages: `/run/${mixed.id}/pages`, mixed: `/run/${mixed.id}`, failed: `/run/${failed.id}` };
}

/** Everything that can be wrong at once. */
async function refuse(page: Page): Promise<void> {
  await page.$eval("details.more", (details) => details.setAttribute("open", ""));
  await page.type("#maxPages", "0");
  await page.type("#leftOut", "archive");
  await page.type("#accessCookie", "none");
  await page.$eval("main form.form button[type=submit]", (button) => button.click());
  await page.waitForSelector("[role=alert]");
}

promiseCleanViews(analyses, 30);
