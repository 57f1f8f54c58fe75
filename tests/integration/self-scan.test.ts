import puppeteer, { type Browser, type Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCALES, type Locale } from "~/lib/i18n";
import { analyse, type Analysis } from "~/scan/analysis";
import { readAxeSource } from "~/scan/axe-source";
import type { FindingResult, Standard } from "~/scan/types";
import { openWorld } from "~/scan/world";
import { openDemoSite } from "../support/demo-site";
import { PATTERN_PAGES, plainPages } from "../support/own-pages";
import { browserPath } from "../support/scanner";
import { startServer, type TestServer } from "../support/server";
import type { Site } from "../support/site";

/** Every rule there is: A and AA must hold, AAA is reported. */
const STANDARD: Standard = { version: "2.2", level: "AAA" };
const SIZES = [
  { width: 320, height: 568 },
  { width: 1280, height: 800 },
];
const SCHEMES = ["light", "dark"];

/** A page in one of its states. */
interface View {
  name: string;
  path: string;
  /** What a visitor does there before we look. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Shown as the server sent it, because scripts would lead on. */
  plain?: boolean;
}

const axe = readAxeSource();
let site: Site;
let server: TestServer;
let browser: Browser;
/** By view, language, width and colour scheme. */
const analyses = new Map<string, Analysis>();

beforeAll(async () => {
  site = await openDemoSite();
  server = await startServer({
    // One check at a time, so that others wait.
    env: { SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, SCAN_CONCURRENCY: "1", FREE_CHECKS_PER_HOUR: "1000" },
  });
  browser = await puppeteer.launch({
    executablePath: browserPath(),
    headless: "shell",
    // Chromium's sandbox refuses to run as root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const views = await allViews();
  await Promise.all(LOCALES.map((locale) => look(views, locale)));
}, 180_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  await site.close();
});

async function allViews(): Promise<View[]> {
  const [found, clean, failed] = await Promise.all(["/barriers", "/clean", "/nothing"].map(checked));
  const [running, queued] = [await order("/silent"), await order("/silent")];
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
    "/*": [{ name: "an error", path: "/no/such/page" }],
  };
  const plain = (await plainPages(server.origin)).map((path) => ({ name: path, path }));
  return [...PATTERN_PAGES, "/"].flatMap((pattern) => states[pattern] ?? unknown(pattern)).concat(plain);
}

function unknown(pattern: string): never {
  throw new Error(`Nobody has said here in which states there is a page at ${pattern}.`);
}

/** Orders a check. @returns the path of its page */
async function order(path: string): Promise<string> {
  const body = new URLSearchParams({ url: site.url(path) });
  const answer = await fetch(`${server.origin}/?index`, { method: "POST", body, redirect: "manual" });
  return answer.headers.get("location") ?? "none";
}

async function checked(path: string): Promise<string> {
  const result = await order(path);
  await fetch(`${server.origin}${result}`);
  return result;
}

async function sendNonsense(page: Page): Promise<void> {
  await page.type("#url", "kein Ort");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
}

const openMenu = (page: Page) => page.$eval("header details", (menu) => menu.setAttribute("open", ""));

const openDetails = (page: Page) =>
  page.$$eval("main details", (closed) => closed.forEach((each) => each.setAttribute("open", "")));

/** Analyses every view in one language. */
async function look(views: View[], locale: Locale): Promise<void> {
  // The server keeps those that it has no result for waiting; the others are looked at meanwhile.
  const [slow, quick] = [views.filter(({ plain }) => plain), views.filter(({ plain }) => !plain)];
  const opening = slow.map((view) => open(view, locale));
  for (const view of quick) await analyseViews(view, locale, await open(view, locale));
  for (const [index, view] of slow.entries()) await analyseViews(view, locale, (await opening[index]) as Page);
}

async function open({ path, prepare, plain }: View, locale: Locale): Promise<Page> {
  const page = await browser.newPage();
  await page.setExtraHTTPHeaders({ "Accept-Language": locale });
  await page.setJavaScriptEnabled(!plain);
  await page.goto(`${server.origin}${path}`, { waitUntil: "load" });
  await prepare?.(page);
  return page;
}

async function analyseViews({ name }: View, locale: Locale, page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewport(size);
    for (const scheme of SCHEMES) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      analyses.set(`${name} (${locale}, ${size.width} px, ${scheme})`, await analysePage(page));
    }
  }
  await page.close();
}

async function analysePage(page: Page): Promise<Analysis> {
  const session = await page.createCDPSession();
  try {
    const { frameTree } = await session.send("Page.getFrameTree");
    return await analyse(await openWorld(session, frameTree.frame.id), {
      standard: STANDARD,
      script: axe.script,
      frames: { hasInnerFrames: () => false, innerFrame: () => ({ url: "", shown: false }), sessionOf: () => undefined },
      budgetMs: 30_000,
    });
  } finally {
    await session.detach();
  }
}

const isAaa = ({ tags }: FindingResult) => tags.some((tag) => tag.endsWith("aaa"));

function places(category: "violations" | "incomplete", wanted: (finding: FindingResult) => boolean): string[] {
  return [...analyses].flatMap(([view, { findings }]) =>
    findings[category]
      .filter(wanted)
      .flatMap(({ ruleId, elements }) => elements.map(({ target }) => `${ruleId} ${target.join(" ")} in ${view}`)),
  );
}

test("every page of ours is looked at in every language, colour scheme and width", () => {
  expect(analyses.size).toBeGreaterThanOrEqual(15 * LOCALES.length * SIZES.length * SCHEMES.length);
  for (const [view, { findings, partial }] of analyses) {
    const passed = findings.passes.map(({ ruleId }) => ruleId);
    expect(passed, view).toEqual(expect.arrayContaining(["color-contrast", "target-size", "color-contrast-enhanced"]));
    expect(partial, view).toEqual([]);
  }
});

test("our own scanner finds no violation of WCAG 2.2 A or AA on them", () => {
  expect(places("violations", (finding) => !isAaa(finding))).toEqual([]);
});

test("it leaves no question open there that a person would have to look at", () => {
  expect(places("incomplete", (finding) => !isAaa(finding))).toEqual([]);
});

test("what would have to be done for AAA is known", () => {
  const rules = places("violations", isAaa).map((place) => place.split(" ", 1)[0] ?? "");
  const counts = [...new Set(rules)].map((rule) => `${rule}: ${rules.filter((each) => each === rule).length}`);
  console.info(`AAA, elements in ${analyses.size} views: ${counts.join(", ") || "nothing"}`);
});
