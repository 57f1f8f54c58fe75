import puppeteer, { type Browser, type Page } from "puppeteer";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { readAxeSource } from "~/scan/rules/axe-source";
import { collectTexts, keepLanguages } from "~/scan/rules/rampe/languages/collect-texts";
import { otherLanguage } from "~/scan/rules/rampe/languages/detect";
import { PAGE_RULES } from "~/scan/rules/rampe/index";
import { rulesScript } from "~/scan/rules/rampe/script";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { readRuleCases, type RuleCase } from "../support/rule-cases";
import { browserPath, testScanner, violationsOf, WCAG22AA } from "../support/scanner";
import { openSite, pageWith } from "../support/site";

/** As axe-core reports it. */
interface RuleResult {
  id: string;
  nodes: { any: { message: string }[] }[];
}

const cases = readRuleCases();
const scripts = [readAxeSource().script, rulesScript(PAGE_RULES, { ...texts, criteria })];

describe("each rule of our own judges its examples", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await puppeteer.launch({ executablePath: browserPath(), headless: "shell", args: ["--no-sandbox"] });
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
  });
  afterAll(() => browser.close());

  it.each(cases)("$ruleId: $expected: $title", async ({ ruleId, expected, markup }) => {
    const { outcome, messages } = await judged(page, ruleId, markup);
    expect(outcome).toBe(expected);
    // Otherwise axe-core's own words stand for a missing text.
    const { fail = {}, incomplete = {} } = messagesOf(ruleId);
    const known = [...Object.values(fail), ...Object.values(incomplete)].map((text) => text.split("${")[0] ?? "");
    for (const message of messages) expect(known.some((start) => message.startsWith(start)), message).toBe(true);
  });
});

test("every rule has failed or asked, passed or inapplicable examples, and every example a rule", () => {
  const ids = PAGE_RULES.map(({ id }) => id);
  for (const id of ids) {
    const own = new Set(cases.filter(({ ruleId }) => ruleId === id).map(({ expected }) => expected));
    expect(own.has("failed") || own.has("asked"), id).toBe(true);
    expect(own.has("passed") || own.has("inapplicable"), id).toBe(true);
  }
  expect([...new Set(cases.map(({ ruleId }) => ruleId))].sort()).toEqual([...ids].sort());
});

test("an element is not reported twice for one criterion, and other elements stay", async () => {
  const site = await openSite({ "/": pageWith(`<button aria-label="Send">Submit form</button><a href="/more">more</a>`) });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  try {
    const found = violationsOf(await scanner.check({ url: site.url("/"), standard: WCAG22AA }));
    expect(found).toContain("label-content-name-mismatch button");
    expect(found.filter((each) => each.startsWith("rampe-label-in-name"))).toEqual([]);
    expect(found).toContain("rampe-page-title html");
  } finally {
    await scanner.stop();
    await site.close();
  }
});

function messagesOf(ruleId: string): { fail?: Record<string, string>; incomplete?: Record<string, string> } {
  return texts.checks[ruleId as keyof typeof texts.checks];
}

interface Judged {
  outcome: RuleCase["expected"];
  /** Of failures and questions. */
  messages: string[];
}

async function judged(page: Page, ruleId: string, markup: string): Promise<Judged> {
  const head = markup.includes("<title>") ? "" : "<title>Example</title>";
  await page.setContent(`<!doctype html><html lang="en"><head>${head}</head><body>${markup}</body></html>`);
  for (const script of scripts) await page.evaluate(script);
  const texts = await page.evaluate(collectTexts, 30_000);
  await page.evaluate(keepLanguages, texts.map(otherLanguage));
  return await page.evaluate(async (id) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<Record<string, RuleResult[]>> } };
    const results = await axe.run({ runOnly: [id], iframes: false });
    const found = (category: string) => results[category]?.find((rule) => rule.id === id);
    const messages = [found("violations"), found("incomplete")].flatMap((rule) => rule?.nodes.map(({ any }) => any[0]?.message ?? "") ?? []);
    const decided = found("violations") ? "failed" : found("incomplete") ? "asked" : found("passes") ? "passed" : "inapplicable";
    return { outcome: decided, messages } as const;
  }, ruleId);
}
