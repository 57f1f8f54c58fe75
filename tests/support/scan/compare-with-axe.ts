import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer, { type Browser, type Frame, type Page } from "puppeteer";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { analyse, type Analysis } from "~/scan/rules/analysis";
import { tagsOf } from "~/scan/rules/axe-options";
import { readAxeSource } from "~/scan/rules/axe-source";
import { egressFlags, openEgress } from "~/scan/network/egress";
import { frameDirectory } from "~/scan/page/frame-directory";
import { settle } from "~/scan/page/settle";
import { openResponsiveIsolatedWorld } from "~/scan/page/stop-scripts";
import { openTab, type Tab } from "~/scan/page/tab";
import { CATEGORIES, type Standard } from "~/scan/types";
import { browserPath } from "./scanner";

/** Common part of two analyses of one loaded page: rules, and the elements of each. */
export type Outline = Record<string, string[]>;

export interface Comparison {
  ours: Outline;
  /** Result of plain `axe.run` in the main world of the page. */
  axe: Outline;
  oursMs: number;
  axeMs: number;
}

export interface Comparer {
  compare(url: string, standard: Standard, budgetMs?: number): Promise<Comparison>;
  close(): Promise<void>;
}

/** Compares our analysis with plain axe-core on the same loaded page, one page after the other. */
export async function openComparer(browserArgs: string[] = []): Promise<Comparer> {
  const browser = await puppeteer.launch({
    executablePath: browserPath(),
    headless: "shell",
    pipe: true,
    protocolTimeout: 0,
    // Null: otherwise, Puppeteer would change the size of the page when it attaches.
    defaultViewport: null,
    args: [...egressFlags(), ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...browserArgs],
  });
  const root = await browser.target().createCDPSession();
  const lease = { browser, root, release() {}, condemn() {}, overgrown: () => false };
  const policy = createAddressPolicy(["127.0.0.1/32", "localhost"]);

  return {
    async compare(url, standard, budgetMs = 30_000) {
      const egress = await openEgress({ policy, connectTimeoutMs: 2_000 });
      const tab = await openTab(lease, egress, { document: 1e9, page: 1e9 });
      try {
        tab.navigate(url);
        await tab.until(() => tab.document()?.loaded === true, 30_000);
        const isolatedWorld = await openResponsiveIsolatedWorld(tab.session, tab.mainFrameId);
        await settle(tab, isolatedWorld, budgetMs);
        const began = performance.now();
        const frames = frameDirectory(tab, egress);
        const ours = await analyse(isolatedWorld, { standard, script: readAxeSource().script, ownRules: "", frames, budgetMs });
        const oursMs = performance.now() - began;
        const page = await pageOf(browser, tab);
        const plain = await plainAxe(page, standard, ours.skippedFrames);
        return { ours: outlineOfOurs(ours), axe: plain.outline, oursMs, axeMs: plain.ms };
      } finally {
        await tab.close();
        await egress.close();
      }
    },
    close: () => browser.close(),
  };
}

/** Page object of Puppeteer, to run axe-core in the usual way. */
async function pageOf(browser: Browser, tab: Tab): Promise<Page> {
  const shown = tab.document()?.url;
  const pages = await Promise.all(browser.browserContexts().map((context) => context.pages()));
  const page = pages.flat().find((each) => each.url() === shown);
  if (!page) throw new Error(`no page shows ${shown}`);
  return page;
}

async function plainAxe(page: Page, standard: Standard, excluded: string[]) {
  const script = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.js"), "utf8");
  const isLeftOut = (frame: Frame) =>
    frame.url().startsWith("chrome-error:") || excluded.includes(frame.url().replace(/#.*/s, ""));
  const analysed = page.frames().filter((frame) => frame === page.mainFrame() || !isLeftOut(frame));
  await Promise.all(analysed.map((frame) => inject(frame, script)));
  const began = performance.now();
  const results = (await page.evaluate((values) => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: Document, options: unknown): Promise<unknown> };
    };
    return axe.run(document, { runOnly: { type: "tag", values } });
  }, tagsOf(standard))) as AxeResults;
  return { outline: outlineOfAxe(results), ms: performance.now() - began };
}

async function inject(frame: Frame, script: string): Promise<void> {
  await frame.evaluate(`${script}; axe.configure({ allowedOrigins: ["<unsafe_all_origins>"] });`);
}

interface AxeNode {
  target: unknown;
  html: string;
  impact: string | null;
  failureSummary?: string;
}
type AxeResults = Record<
  (typeof CATEGORIES)[number],
  { id: string; impact: string | null; nodes: AxeNode[] }[]
>;

function outlineOfOurs({ findings }: Analysis): Outline {
  return outline((category) =>
    findings[category].map(({ ruleId, impact, elementCount, elements }) =>
      isInFull(category)
        ? [
            `${category} ${ruleId} ${impact} ${elementCount}`,
            elements.map((each) => line(each.target, each.impact, each.html)),
          ]
        : [`${category} ${ruleId}`, [String(elementCount)]],
    ),
  );
}

function outlineOfAxe(results: AxeResults): Outline {
  return outline((category) =>
    results[category].map(({ id, impact, nodes }) =>
      isInFull(category)
        ? [
            `${category} ${id} ${impact} ${nodes.length}`,
            nodes.slice(0, LISTED).map((each) => line(each.target, each.impact, each.html)),
          ]
        : [`${category} ${id}`, [String(nodes.length)]],
    ),
  );
}

/** Maximum number of elements that our findings list; they count all. */
const LISTED = 1_000;

/** Whether a category lists elements; `passes` and `inapplicable` only have their number. */
const isInFull = (category: string) => category === "violations" || category === "incomplete";

/** Text of an element. The beginning of the markup is enough: ours is cut at 2,048 bytes. */
const line = (target: unknown, impact: string | null, html: string) =>
  `${JSON.stringify(target)} ${impact} ${html.slice(0, 500)}`;

function outline(entriesOf: (category: (typeof CATEGORIES)[number]) => [string, string[]][]): Outline {
  return Object.fromEntries(CATEGORIES.flatMap(entriesOf).sort(([a], [b]) => a.localeCompare(b)));
}
