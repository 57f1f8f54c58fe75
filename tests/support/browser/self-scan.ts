import type { Browser, Page } from "puppeteer";
import { expect, test } from "vitest";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { analyse, type Analysis } from "~/scan/rules/analysis";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import { PAGE_RULES } from "~/scan/rules/rampe/index";
import { rulesScript } from "~/scan/rules/rampe/script";
import { readAxeSource } from "~/scan/rules/axe-source";
import type { FindingResult, Standard } from "~/scan/types";
import { targetSizeEnhanced } from "~/scan/rules/rampe/layout/target-size-enhanced";
import { openIsolatedWorld } from "~/scan/page/isolated-world";
import { randomClientAddress } from "../accounts/accounts";

/** All rules of all levels. */
const STANDARD: Standard = { version: "2.2", level: "AAA" };
const PHONE = { width: 320, height: 568 };
const DESKTOP = { width: 1280, height: 800 };

/**
 * Width and colour scheme of a view in one language; the view has the others in the other language. Four views in a row cover
 * all combinations of language, width and scheme.
 */
function appearanceOf(index: number, locale: Locale): { size: typeof PHONE; scheme: "light" | "dark" } {
  const isFirst = locale === LOCALES[0];
  const isPhone = (index % 2 === 0) === isFirst;
  const isLight = (Math.floor(index / 2) % 2 === 0) === isFirst;
  return { size: isPhone ? PHONE : DESKTOP, scheme: isLight ? "light" : "dark" };
}

/** Page in one of its states. */
export interface View {
  name: string;
  path: string;
  /** The visitor's actions before the analysis. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Without scripts, which would open another page. */
  plain?: boolean;
  /** Cookie of a session; without it, the visitor is not signed in. */
  cookie?: string;
  /** Origin, if it differs from that of the other views. */
  origin?: string;
}

/** Results of our scanner, by view, language, width and colour scheme. */
export type Analyses = Map<string, Analysis>;

/**
 * Reviewed by a person: the values beside a colour sample have the same meaning; ramp, report, and a website's picture beside its name are
 * decoration; numbers on a picture are on marks of one colour (`keyboard-walk.test.tsx`); an invited person's address is not the reader's own.
 */
const ANSWERED = /^rampe-decorative-image (.*\.(color-sample|ramp-picture|report-picture|website-picture)|img in websites )|^rampe-autocomplete #email in (\/admin\/invitations|a refused invitation) |^color-contrast .*\btext\b.* in (the path of the Tab key|a report|a shared report|\/sample) /;

const axe = readAxeSource();
const ownRules = rulesScript(PAGE_RULES, OWN_RULE_TEXTS);

/** Every second view, so that each is analysed in one language: pages with similar texts need no analysis in each. */
export const shareOf = (views: View[], locale: Locale): View[] => views.filter((_view, index) => index % LOCALES.length === LOCALES.indexOf(locale));

/** Analyses every view in one language. */
export async function look(browser: Browser, origin: string, views: View[], locale: Locale, analyses: Analyses): Promise<void> {
  const lookers = new Map<string, Promise<Page>>();
  /** Views without actions share a tab; views with actions get their own, because they may leave traces. */
  const visitorFor = (view: View): Promise<Page> => {
    if (view.prepare || view.plain) return newVisitor(browser, origin, view);
    const key = `${view.origin ?? origin} ${view.cookie ?? ""}`;
    const visitor = lookers.get(key) ?? newVisitor(browser, origin, view);
    lookers.set(key, visitor);
    return visitor;
  };
  const openView = async (view: View) => open(await visitorFor(view), origin, view, locale);
  const analyseView = async (view: View, page: Page) => {
    const { size, scheme } = appearanceOf(views.indexOf(view), locale);
    await page.setViewport(size);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    analyses.set(`${view.name} (${locale}, ${size.width} px, ${scheme})`, await analysePage(page));
    if (view.prepare) await page.browserContext().close();
  };
  // The server delays plain views until it has a result; the others are analysed meanwhile.
  const [slow, quick] = [views.filter(({ plain }) => plain), views.filter(({ plain }) => !plain)];
  const opening = slow.map(openView);
  for (const view of quick) await analyseView(view, await openView(view));
  for (const [index, view] of slow.entries()) await analyseView(view, (await opening[index]) as Page);
}

async function newVisitor(browser: Browser, home: string, { plain, cookie, origin = home }: View): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const [name = "", value = ""] = cookie?.split(/=(.*)/s) ?? [];
  if (cookie) await context.setCookie({ name, value, domain: new URL(origin).hostname, path: "/" });
  await page.setJavaScriptEnabled(!plain);
  return page;
}

async function open(page: Page, home: string, { name, path, prepare, origin = home }: View, locale: Locale): Promise<Page> {
  await page.setExtraHTTPHeaders({ "Accept-Language": locale, ...randomClientAddress() });
  await page.goto(`${origin}${path}`, { waitUntil: "load" });
  try {
    await prepare?.(page);
  } catch (error) {
    throw new Error(`${name} (${locale}) does not come about at ${page.url()}`, { cause: error });
  }
  return page;
}

async function analysePage(page: Page): Promise<Analysis> {
  const session = await page.createCDPSession();
  try {
    const { frameTree } = await session.send("Page.getFrameTree");
    return await analyse(await openIsolatedWorld(session, frameTree.frame.id), {
      standard: STANDARD,
      script: axe.script,
      ownRules,
      advanced: true,
      frames: { hasInnerFrames: () => false, innerFrame: () => ({ url: "", shown: false }), sessionOf: () => undefined },
      // Each collection of facts gets a share of it, also on a busy machine.
      budgetMs: 120_000,
    });
  } finally {
    await session.detach();
  }
}

const isAaa = ({ tags }: FindingResult) => tags.some((tag) => tag.endsWith("aaa"));

function locationsOf(analyses: Analyses, category: "violations" | "incomplete", wanted: (finding: FindingResult) => boolean): string[] {
  return [...analyses].flatMap(([view, { findings }]) =>
    findings[category]
      .filter(wanted)
      .flatMap(({ ruleId, elements }) => elements.map(({ target }) => `${ruleId} ${target.join(" ")} in ${view}`)),
  );
}

export const openMenu = (page: Page) => page.$eval("header details", (menu) => menu.setAttribute("open", ""));

/** @param least minimum number of analyses */
export function promiseCleanViews(analyses: Analyses, least: number): void {
  test("pages are looked at in every language, both colour schemes and both widths", () => {
    expect(analyses.size).toBeGreaterThanOrEqual(least);
    const views = [...analyses.keys()].join();
    for (const part of [...LOCALES.map((locale) => `(${locale}, `), "320 px", "1280 px", "light)", "dark)"]) expect(views).toContain(part);
    for (const [view, { findings, partial }] of analyses) {
      const passed = findings.passes.map(({ ruleId }) => ruleId);
      expect(passed, view).toEqual(expect.arrayContaining(["color-contrast", "target-size", "color-contrast-enhanced"]));
      expect(partial, view).toEqual([]);
    }
  });

  test("our own scanner finds no violation of WCAG 2.2 A or AA on them", () => {
    expect(locationsOf(analyses, "violations", (finding) => !isAaa(finding))).toEqual([]);
  });

  test("it leaves no question open there that a person would have to look at", () => {
    const open = locationsOf(analyses, "incomplete", (finding) => !isAaa(finding));
    expect(open.filter((location) => !ANSWERED.test(location))).toEqual([]);
  });

  test("no view breaks a rule of level AAA, but for the size of its smaller targets", () => {
    // Our own minimum is 24 px, and 44 px for the main controls; the browser tests measure it.
    expect(locationsOf(analyses, "violations", (finding) => isAaa(finding) && finding.ruleId !== targetSizeEnhanced.id)).toEqual([]);
  });
}
