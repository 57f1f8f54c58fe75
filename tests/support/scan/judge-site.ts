import type { Page } from "puppeteer";
import { noFacts } from "~/scan/crawl/facts";
import { openIsolatedWorld } from "~/scan/page/isolated-world";
import { SITE_RULES } from "~/scan/rules/rampe/site/index";
import { describePage } from "~/scan/site/describe-page";
import { judgeSite, type ComparedPage } from "~/scan/site/judge-site";
import type { DeadAddress } from "~/scan/site/site-rule";
import { FACT_LIMITS, type SiteFacts } from "~/scan/site/site-facts";
import { CATEGORIES, type Category } from "~/scan/types";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import type { RuleCase } from "./rule-cases";

const ORIGIN = "https://shop.example";

export const isOfSite = (ruleId: string): boolean => SITE_RULES.some(({ id }) => id === ruleId);

/** Outcome of a rule on a made-up site; a comment before each page has its name: `<!-- contact.html --> …`. */
export async function judgeExample(page: Page, example: string, ruleId: string): Promise<RuleCase["expected"]> {
  const [, ...parts] = example.split(/<!-- (\S+\.html) -->/);
  const pages: ComparedPage[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at + 1] ?? "";
    await page.setContent(`<!doctype html>${part.includes("<html") ? "" : '<html lang="en">'}${part}`);
    pages.push(comparedPage(`/${parts[at]}`, await factsOf(page), { title: await page.title(), lang: await page.$eval("html", ({ lang }) => lang) }));
  }
  const isThere = (address: string) => pages.some(({ url }) => url === address);
  const linked = pages.flatMap(({ facts }) => [...facts.links, ...facts.blocks.flatMap(({ links }) => links)]);
  const dead = linked.filter(({ address }) => !isThere(address)).map(({ address }) => ({ url: address, why: 404 as const }));
  const categories = outcomesOf(pages, ruleId, { dead }).map(([category]) => category);
  if (categories.includes("violations")) return "failed";
  return categories.includes("incomplete") ? "asked" : categories.includes("passes") ? "passed" : "inapplicable";
}

async function factsOf(page: Page): Promise<SiteFacts> {
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  const world = await openIsolatedWorld(session, frameTree.frame.id);
  const facts = await world.call(describePage, FACT_LIMITS);
  await session.detach();
  // Replaces the origin, as the page is written into another document.
  return JSON.parse(JSON.stringify(facts).replaceAll(new URL(page.url()).origin, ORIGIN)) as SiteFacts;
}

export function comparedPage(path: string, facts: Partial<SiteFacts>, { title = "Shop", lang = "en" } = {}): ComparedPage {
  const url = ORIGIN + path;
  return { url, finalUrl: url, title, lang, facts: { heading: "", blocks: [], links: [], versions: [], help: [], search: null, hasFinder: false, ...facts } };
}

/** Results of a rule, with paths and messages: `[category, path, message]`. */
export function outcomesOf(pages: ComparedPage[], ruleId: string, { limited = false, dead = [] }: { limited?: boolean; dead?: DeadAddress[] } = {}): [Category, string, string][] {
  const crawled = { ...noFacts(200), pages: pages.length, limited };
  const found = judgeSite({ pages, dead }, crawled, { standard: { version: "2.2", level: "AAA" }, rules: { only: [ruleId] }, texts: OWN_RULE_TEXTS });
  return [...found].flatMap(([url, findings]) =>
    CATEGORIES.flatMap((category) =>
      findings[category].flatMap(({ elements }) => {
        const messages = elements.map(({ checks }) => checks[0]?.message ?? "");
        return (messages.length > 0 ? messages : [""]).map((message) => [category, url.slice(ORIGIN.length), message] as [Category, string, string]);
      }),
    ),
  );
}
