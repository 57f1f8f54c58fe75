import type { Browser, Page } from "puppeteer";
import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createShares } from "~/reports/share/share.server";
import { BARRIERS, openDemoSite } from "../../support/scan/demo-site";
import { finishedRun, runsOf, storedReport } from "../../support/database/finished-runs";
import { newMember, type Member } from "../../support/accounts/accounts";
import { subscribe } from "../../support/billing/bought";
import { REPORT_PAGES } from "../../support/browser/own-pages";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { idOf, scanned } from "../../support/browser/run-pages";
import { WCAG22AA } from "../../support/scan/scanner";
import { openBrowser } from "../../support/browser/browser";
import { look, promiseCleanViews, shareOf, type Analyses, type View } from "../../support/browser/self-scan";
import { startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

const SECRET = "a secret of these tests that is long enough to be one";
const REPORT_PARTS = ["violations", "incomplete", "passes", "criteria", "pages", "changes", "history", "review", "review/criteria", "accepted", "accept/image-alt", "share", "schedule", "statement"];

let site: Site;
let server: TestServer;
let db: Db;
let browser: Browser;
const analyses: Analyses = new Map();
/** Paths of the views. */
const seen: string[] = [];

beforeAll(async () => {
  [site, browser] = await Promise.all([openDemoSite(), openBrowser()]);
  server = await startServer({ env: { SESSION_SECRET: SECRET, TRIAL_SCANS: "9", TRUST_PROXY: "1", SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } });
  db = await server.database();
  await Promise.all(LOCALES.map(async (locale) => look(browser, server.origin, shareOf(await allViews(locale), locale), locale, analyses)));
});

afterAll(async () => {
  await browser.close();
  await server.stop();
  await site.close();
});

async function allViews(locale: Locale): Promise<View[]> {
  const [ada, empty, trying] = await Promise.all([newMember(server, { language: locale }), newMember(server, { language: locale }), newMember(server, { language: locale })]);
  await subscribe(db, ada);
  const report = await scanned(ada, { url: site.url("/barriers") });
  const { pages, mixed, failed, running } = await storeOthers(ada);
  await storedReport(db, trying, "https://locked.example/", BARRIERS.map(({ mark }) => mark));
  const [locked] = await db.selectFrom("run").select("id").where("owner", "=", trying.id).execute();
  const element = async (rule: string) => /\/run\/[\w-]+\/\w+\/[\w-]+\/\d+\/\d+/.exec((await ada.get(`${report}/${rule}`)).text)?.[0] ?? "";
  const walk = /\/run\/[\w-]+\/pages\/\d+\/keyboard/.exec((await ada.get(`${report}/pages`)).text)?.[0] ?? "";
  const shared = `/shared/${await createShares({ db }).create(ada.id, idOf(report), 7)}`;

  const views: [name: string, path: string, more?: Partial<View>][] = [
    ["no runs yet", "/runs", { cookie: empty.cookie }],
    ["runs in every state", "/runs"],
    ["no websites yet", "/websites", { cookie: empty.cookie }],
    ["websites in every state", "/websites"],
    ["a website", `/websites/${encodeURIComponent(`http:127.0.0.1:${site.port}`)}`],
    ["a website without a scan", "/websites/large.example"],
    ["a new run", "/runs/new"],
    ["a refused scan request", "/runs/new", { prepare: refuse }],
    ["a run under way", running],
    ["a failed run", failed],
    ["a locked report", `/run/${locked?.id}`, { cookie: trying.cookie }],
    ["a report", report],
    ["a report with gaps", mixed],
    ["the pages of a site", pages],
    ...REPORT_PARTS.map((part): [string, string] => [`a report's ${part}`, `${report}/${part}`]),
    ["a rule", `${report}/violations/image-alt`],
    ["all places of a rule", `${report}/violations/image-alt?list=places`],
    ["a rule about contrast", `${report}/violations/color-contrast`],
    ["a rule that needs a person", `${report}/incomplete/color-contrast`],
    ["an element", await element("violations/image-alt")],
    ["notes on a finding", (await element("violations/image-alt")).replace("/violations/", "/notes/violations/")],
    ["an element that needs a person", await element("incomplete/color-contrast")],
    ["the path of the Tab key", walk],
    ["nothing to delete", "/runs/delete"],
    ["runs to delete", `/runs/delete?run=${idOf(report)}&run=${idOf(failed)}`],
    ["the end of a repetition", `/unsubscribe/${await repetition(ada, report)}`],
    ["repeated scans", "/runs/schedules"],
    ["a repeated scan", `/runs/schedules/${(await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).executeTakeFirstOrThrow()).id}`],
    ["a shared report", shared],
    ["what is accepted in a shared report", `${shared}/accepted`],
    ["a shared report's violations", `${shared}/violations`],
    ["a shared report's rule", `${shared}/violations/image-alt`],
  ];
  seen.push(...views.map(([_name, path]) => path));
  return views.map(([name, path, more]) => ({ name, path, cookie: ada.cookie, ...more }));
}

/** Sets a schedule for a report. @returns the token of the link in its mails */
async function repetition(ada: Member, report: string): Promise<string> {
  await ada.post(`${report}/schedule`, { every: "week", mails: "yes" });
  const { id } = await db.selectFrom("schedule").select("id").where("owner", "=", ada.id).executeTakeFirstOrThrow();
  return createSecretBox([SECRET]).seal(id, "unsubscribe");
}

/** Runs that a small site does not produce: all other states, pages with gaps, and a deletion that can be undone. */
async function storeOthers(ada: Member) {
  const owner = ada.id;
  const url = "https://shop.example/";
  const gaps = { frames: ["https://ads.example/"], closedShadowRoots: 1, resources: 2, concealed: true, unfinished: true, late: ["moving" as const], missing: { selector: "#list", waitedMs: 8_000 } };
  const repeated = Array.from({ length: 30 }, (_, index) => element({ target: [`#logo-${index}`], html: '<img class="logo">' }));
  const violations = [finding("image-alt", { impact: "critical", elementCount: 40, elements: repeated })];
  const partial = checkedPage({ url, gaps, partial: ["target-size"], findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
  const mixed = await finishedRun(db, [partial, uncheckedPage({ url: `${url}gone` })], { owner, at: Date.now(), excludedPaths: ["/archive/"], maxPages: 9 });
  const failed = await finishedRun(db, [uncheckedPage({ url: "https://gone.example/" })], { owner, at: Date.now() });
  const runs = runsOf(db);
  const canceled = await runs.start({ url: "https://slow.example/", scope: "site", standard: WCAG22AA, owner });
  await runs.cancel(canceled.id, owner);
  // Run without a job, so that its state stays.
  const running = await runs.start({ url: "https://large.example/", scope: "site", standard: WCAG22AA, owner });
  const progress = { status: "running", started_at: Date.now() - 60_000, pages: 9, failed_pages: 1, known_pages: 40 } as const;
  await db.updateTable("run").set(progress).where("id", "=", running.id).execute();
  const deleted = await storedReport(db, ada, "https://old.example/");
  await ada.post("/runs/delete", { run: idOf(deleted) });
  return { pages: `/run/${mixed.id}/pages`, mixed: `/run/${mixed.id}`, failed: `/run/${failed.id}`, running: `/run/${running.id}` };
}

/** All possible errors at once. */
async function refuse(page: Page): Promise<void> {
  await page.$eval("details.more", (details) => details.setAttribute("open", ""));
  await page.type("#maxPages", "0");
  await page.type("#leftOut", "archive");
  await page.type("#accessCookie", "none");
  await page.$eval("main form.form button[type=submit]", (button) => button.click());
  await page.waitForSelector("[role=alert]");
}

test("every page of a report is scanned", () => {
  const isSeen = (pattern: string) => seen.some((path) => new RegExp(`^${pattern.replace(/:\w+/g, "[^/?]+")}(\\?|$)`).test(path));
  expect(REPORT_PAGES.filter((pattern) => !isSeen(pattern))).toEqual([]);
});

promiseCleanViews(analyses, 30);
