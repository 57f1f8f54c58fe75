import type { BrowserContext } from "puppeteer";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { EXPLAINED, explanationOf } from "./support/audit/explained";
import { axeJudge, htmlcsJudge, ibmJudge, judge, TOOLS, type Judge, type Message, type Tool } from "./support/audit/judges";
import { showAs } from "./support/audit/looks";
import { nuChecker } from "./support/audit/nu";
import { openPublicSite, openView, type PublicView } from "./support/public-site";
import { conclude, exactly, figure, introduce } from "./support/figures";
import { readOptions, sized } from "./support/options";
import { openBrowser } from "../support/browser/browser";

/*
 * Results of other tools for our public pages, in both languages: axe-core with best practices and experimental rules,
 * HTML_CodeSniffer, IBM's engine, and the Nu checker. Every message is fixed, or explained in support/audit/explained.ts.
 *
 *   npx tsx tests/bench/audit.ts [--only axe|htmlcs|ibm|nu] [name …]
 *
 * In smoke mode only axe-core, which needs no installation.
 */
interface Told extends Message {
  view: string;
  /** State of the page. */
  look: string;
}

/** Number of listed elements per message. */
const SHOWN = 3;

const options = readOptions({ values: { only: sized("", "axe") } });
const names = options.names.length > 0 ? options.names : sized([], ["/contact, sent"]);
const isWanted = (tool: Tool) => options.values.only === "" || options.values.only === tool;
if (!TOOLS.some(isWanted)) throw new Error(`--only wants one of ${TOOLS.join(", ")}`);

const makers = { axe: axeJudge, htmlcs: htmlcsJudge, ibm: ibmJudge };
const judges = (["axe", "htmlcs", "ibm"] as const).filter(isWanted).map((tool) => makers[tool]());
const nu = isWanted("nu") ? nuChecker() : null;
introduce("outside judges of the public pages", {
  ...Object.fromEntries(judges.map(({ tool, version }) => [tool, version])),
  ...(nu && { nu: nu.version }),
});

const told: Told[] = [];
const documents = new Map<string, { html: string; view: string; locale: Locale }>();
const site = await openPublicSite(names);
const browser = await openBrowser();
try {
  await Promise.all(LOCALES.map(async (locale) => judgeAll(await browser.createBrowserContext(), locale)));
} finally {
  await browser.close();
  await site.stop();
}
const found = nu?.judge(new Map([...documents].map(([name, { html }]) => [name, html])));
for (const [name, { view, locale }] of documents)
  for (const message of found?.get(name) ?? []) told.push({ ...message, view, look: locale });
report();

async function judgeAll(context: BrowserContext, locale: Locale): Promise<void> {
  for (const view of site.views) await judgeView(context, view, locale);
}

async function judgeView(context: BrowserContext, view: PublicView, locale: Locale): Promise<void> {
  const { page, html } = await openView(context, site.origin, view, locale);
  documents.set(`${view.name} ${locale}`, { html, view: view.name, locale });
  for (const each of judges) await lookOver(each);
  await page.close();

  async function lookOver(one: Judge): Promise<void> {
    await page.evaluate(`${one.script};undefined`);
    for (const look of one.looks) {
      await showAs(page, look);
      const name = `${locale} ${look.colors} ${look.width}`;
      told.push(...(await judge(page, one)).map((message) => ({ ...message, view: view.name, look: name })));
    }
  }
}

function report(): void {
  const used = TOOLS.filter((tool) => judges.some((each) => each.tool === tool) || (tool === "nu" && nu));
  const open = told.filter((message) => !explanationOf(message));
  console.table(
    site.views.map(({ name }) => ({
      page: name,
      ...Object.fromEntries(used.map((tool) => [tool, countOf(told.filter((each) => each.view === name && each.tool === tool))])),
    })),
  );
  console.log("Distinct messages; in brackets, those that are explained.\n");
  const distinct = new Map<string, Told[]>();
  for (const each of open) {
    const name = `${each.tool}: ${each.text}\n  ${each.code}`;
    distinct.set(name, [...(distinct.get(name) ?? []), each]);
  }
  for (const [name, all] of distinct) {
    const views = new Set(all.map(({ view }) => view)).size;
    const places = [...new Set(all.map(({ view, look, where }) => `${view} (${look}): ${where}`))].slice(0, SHOWN);
    console.log(`${name}\n  ${all.length} times on ${views} pages\n  ${places.join("\n  ")}\n`);
  }
  for (const each of EXPLAINED) {
    const count = told.filter((message) => explanationOf(message) === each).length;
    const name = [each.tool, each.code, each.where && `at ${each.where}`].filter(Boolean).join(" ");
    if (count > 0) console.log(`explained, ${count} times: ${name}\n  ${each.reason}`);
    else if (used.includes(each.tool) && names.length === 0) console.log(`no longer said: ${name}`);
  }
  conclude([figure("pages", site.views.length), figure("messages", told.length), exactly("messages that nobody has explained", open.length, 0)]);
}

function countOf(messages: Told[]): string {
  const distinct = (some: Told[]) => new Set(some.map(({ code, text }) => `${code} ${text}`)).size;
  const explained = distinct(messages.filter(explanationOf));
  return `${distinct(messages.filter((each) => !explanationOf(each)))}${explained > 0 ? ` (${explained})` : ""}`;
}
