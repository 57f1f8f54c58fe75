import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll } from "vitest";
import { LOCALES } from "~/platform/i18n/i18n";
import { openDemoSite } from "../../support/scan/demo-site";
import { PATTERN_PAGES, publicPages } from "../../support/browser/own-pages";
import { openBrowser } from "../../support/browser/browser";
import { look, openMenu, promiseCleanViews, shareOf, type Analyses, type View } from "../../support/browser/self-scan";
import { startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

let site: Site;
let server: TestServer;
let browser: Browser;
const analyses: Analyses = new Map();

beforeAll(async () => {
  site = await openDemoSite();
  server = await startServer({
    // One check at a time, so that other checks wait.
    env: { SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, SCAN_CONCURRENCY: "1", FREE_CHECKS_PER_HOUR: "1000" },
  });
  browser = await openBrowser();
  const views = await allViews();
  await Promise.all(LOCALES.map((locale) => look(browser, server.origin, shareOf(views, locale), locale, analyses)));
});

afterAll(async () => {
  await browser.close();
  await server.stop();
  await site.close();
});

async function allViews(): Promise<View[]> {
  const [found, clean, failed] = await Promise.all(["/barriers", "/clean", "/nothing"].map(checked));
  const [running, queued] = [await requestScan("/silent"), await requestScan("/silent")];
  const states: Record<string, View[]> = {
    "/": [
      { name: "a refused address", path: "/", prepare: sendNonsense },
      { name: "the open menu", path: "/", prepare: openMenu },
    ],
    "/check/:id": [
      { name: "a running check", path: running, plain: true },
      { name: "a waiting check", path: queued, plain: true },
      { name: "a result", path: found ?? "", prepare: openDetails },
      { name: "a result without findings", path: clean ?? "" },
      { name: "a failed check", path: failed ?? "" },
    ],
    "/sample/:category": [{ name: "violations of the sample", path: "/sample/violations" }],
    "/sample/:category/:rule": [{ name: "a rule of the sample", path: "/sample/violations/color-contrast" }],
    "/sample/:category/:rule/:page/:position": [{ name: "an element of the sample", path: "/sample/violations/image-alt/1/0" }],
    "/rules/:id": [
      { name: "a rule that finds errors", path: "/rules/rampe-mouse-only" },
      { name: "a rule that only asks", path: "/rules/video-caption" },
    ],
    "/*": [{ name: "an error", path: "/no/such/page" }],
  };
  const plain = (await publicPages(server.origin)).map((path) => ({ name: path, path }));
  return [...PATTERN_PAGES, "/"].flatMap((pattern) => states[pattern] ?? unknown(pattern)).concat(plain);
}

function unknown(pattern: string): never {
  throw new Error(`Nobody has said here in which states there is a page at ${pattern}.`);
}

/** Requests a check. @returns the path of its page */
async function requestScan(path: string): Promise<string> {
  const body = new URLSearchParams({ url: site.url(path) });
  const answer = await fetch(`${server.origin}/?index`, { method: "POST", body, redirect: "manual" });
  return answer.headers.get("location") ?? "none";
}

async function checked(path: string): Promise<string> {
  const result = await requestScan(path);
  await fetch(`${server.origin}${result}`);
  return result;
}

async function sendNonsense(page: Page): Promise<void> {
  await page.type("#url", "kein Ort");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
}

const openDetails = (page: Page) =>
  page.$$eval("main details", (closed) => closed.forEach((each) => each.setAttribute("open", "")));

promiseCleanViews(analyses, 32);
