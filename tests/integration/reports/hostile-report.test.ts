import type { Browser, Page } from "puppeteer";
import type { Db } from "db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Run } from "~/runs/run";
import type { CrawlFacts } from "~/scan/crawl/facts";
import { finishedRun } from "../../support/database/finished-runs";
import { HOSTILE_TEXTS, hostilePage } from "../../support/reports/hostile-findings";
import { newMember, type Member } from "../../support/accounts/accounts";
import { uncheckedPage } from "../../support/database/page-results";
import { fillIn, RUN_PATHS } from "../../support/browser/route-paths";
import { openBrowser } from "../../support/browser/browser";
import { startServer, type TestServer } from "../../support/servers/server";

const SITE = "https://shop.example/";
const HOSTILE_ADDRESS = `${SITE}?q="><img src=x onerror=alert(1)>`;
/** Maximum size of a page: its texts are cut to a readable length. */
const MOST_BYTES = 1_000_000;
const PLAIN = ["/mail", "export.", "/events", "/cancel", "/unlock", "/picture", "/statement."];

const crawl: CrawlFacts = {
  ...{ pages: 2, known: 9, waiting: 7, maxPages: 2, limited: true, robots: "unreachable", crawlDelayMs: 0, disallowed: 1 },
  skipped: { files: 1, notPage: 1, elsewhere: 1, duplicate: 1, overflow: 1 },
  traps: [{ kind: "query", template: HOSTILE_TEXTS[0], example: HOSTILE_ADDRESS, count: 3 }],
  sitemaps: { files: 1, urls: 1, problems: [{ url: HOSTILE_ADDRESS, why: HOSTILE_TEXTS[1] }], cut: true },
  ledElsewhere: HOSTILE_ADDRESS,
  stopped: true,
};

let server: TestServer;
let browser: Browser;
let db: Db;
let ada: Member;
let run: Run;
let pageId: number;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ browser: false, env: { BILLING: "off", TRUST_PROXY: "1" } }), openBrowser()]);
  db = await server.database();
  ada = await newMember(server);
  const failed = uncheckedPage({ url: `${SITE}gone`, reason: "tls", detail: { technical: HOSTILE_TEXTS[1], contentType: HOSTILE_TEXTS[0] } });
  const request = { owner: ada.id, url: SITE, crawl, excludedPaths: [`/${HOSTILE_TEXTS[0]}`, `/${HOSTILE_TEXTS[6]}`] };
  // Earlier run, so that there are changes and a history.
  await finishedRun(db, [hostilePage()], { ...request, at: Date.now() - 60_000 });
  run = await finishedRun(db, [hostilePage(), failed], { ...request, at: Date.now() });
  pageId = (await db.selectFrom("page").select("id").where("run_id", "=", run.id).where("status", "=", "succeeded").executeTakeFirstOrThrow()).id;
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** All addresses of the report's pages. */
function views(): string[] {
  const rules = [{ category: "violations", rule: "image-alt" }, { category: "incomplete", rule: "label" }];
  const filled = RUN_PATHS.filter((path) => path.startsWith("/run/") && !PLAIN.some((part) => path.includes(part))).flatMap((path) =>
    rules.map((rule) => fillIn(path, { id: run.id, page: pageId, position: 0, ...rule })),
  );
  // Only violations can be accepted.
  const pages = filled.filter((path) => !path.includes("/accept/label"));
  return [...new Set(pages), "/runs", `/runs/delete?run=${run.id}`, `/run/${run.id}/pages?failed=1`, `/run/${run.id}/violations?page=${pageId}`];
}

/** Invisible characters, and direction marks. */
const UNSEEN = /[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** @returns the page */
async function expectInert(path: string): Promise<string> {
  const answer = await fetch(`${server.origin}${path}`, { headers: { Cookie: ada.cookie, "Accept-Language": "de" }, redirect: "manual" });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([path, answer.status, bytes.length < MOST_BYTES]).toEqual([path, 200, true]);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  expect([path, text.match(/<img src=x|<script>alert|@import "http/g)]).toEqual([path, null]);
  return text;
}

test("every page of a report on hostile pages works, is well-formed, and has a limited size", async () => {
  expect(views().length).toBeGreaterThan(15);
  for (const view of views()) expect([view, (await expectInert(view)).match(UNSEEN)]).toEqual([view, null]);
});

test.each(HOSTILE_TEXTS.map((text, position) => [position, text.slice(0, 30)] as const))("element %i is shown as text: %j", async (position) => {
  for (const rule of ["violations/image-alt", "incomplete/label"]) {
    const text = await expectInert(`/run/${run.id}/${rule}/${pageId}/${position}`);
    expect([text.includes("&lt;a title="), text.match(UNSEEN)]).toEqual([true, null]);
  }
});

test.each(HOSTILE_TEXTS.slice(0, -1))("a search term is shown as text: %j", async (text) => {
  for (const list of [`/runs`, `/run/${run.id}/violations`]) await expectInert(`${list}?q=${encodeURIComponent(text.toWellFormed())}&sort=%3Cscript%3E&status=%22%3E`);
});

test("a hostile reason of a review is shown as text", async () => {
  const review = `/run/${run.id}/review`;
  const [, group = ""] = /name="group" value="([^"]+)"/.exec((await ada.get(review)).text) ?? [];
  const answered = await ada.post(review, { rule: "label", group, "answer-0": "ignore", "reason-0": HOSTILE_TEXTS[1] });
  expect(answered.status).toBe(303);
  expect((await expectInert(review)).includes("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;")).toBe(true);
});

test("a browser runs none of their scripts, sends no request to others, and finds no event handler", async () => {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const events: string[] = [];
  page.on("dialog", (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.origin) && !request.url().startsWith("data:")) events.push(`request ${request.url().slice(0, 100)}`);
  });
  page.on("pageerror", (error) => events.push(`error ${String(error)}`));
  const [name = "", value = ""] = ada.cookie.split(/=(.*)/s);
  await context.setCookie({ name, value, domain: "127.0.0.1", path: "/" });
  for (const view of [...views(), `/run/${run.id}/violations/image-alt/${pageId}/1`]) {
    await page.goto(`${server.origin}${view}`, { waitUntil: "load" });
    expect([view, await suspects(page)]).toEqual([view, []]);
  }
  expect(events).toEqual([]);
  await context.close();
});

/** Markup that could run code and is not ours. */
function suspects(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll("*")];
    const handlers = all.filter((element) => element.getAttributeNames().some((attribute) => attribute.startsWith("on") || attribute === "style" || attribute === "srcdoc"));
    const links = all.filter((element) => /^\s*(javascript|data|vbscript):/i.test(element.getAttribute("href") ?? element.getAttribute("action") ?? ""));
    const foreign = [...document.querySelectorAll("main :is(script, iframe, object, embed, base, meta, link)")];
    return [...handlers, ...links, ...foreign].map((element) => element.outerHTML.slice(0, 200));
  });
}
