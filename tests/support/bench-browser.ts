import puppeteer, { type Browser, type Page } from "puppeteer";
import { tagsOf } from "~/scan/rules/axe-options";
import { readAxeSource } from "~/scan/rules/axe-source";
import { browserPath, WCAG22AA } from "./scanner";

/**
 * The least that has to be done to analyse pages with axe-core: browsers and pages are warm, every page is loaded, gets
 * axe-core, which runs once, and nothing is kept, checked or protected.
 */
export interface BareBrowser {
  /** Of one page. */
  analyse(url: string): Promise<BareTimes>;
  /** Of many, with all warm pages at once. */
  loop(urls: string[]): Promise<BareLoop>;
  /** Leaves what the pages show, which may go on working. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** In ms. */
export interface BareTimes {
  load: number;
  inject: number;
  run: number;
}

export interface BareLoop extends BareTimes {
  failed: { url: string; why: string }[];
}

export interface BareOptions {
  /** Warm pages. */
  parallel: number;
  /** Asks the machine's name service; else every outside name is at once known not to exist. */
  systemDns: boolean;
}

const LOAD_WITHIN_MS = 60_000;

/** What makes outside names fail at once. */
export const NO_OUTSIDE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** What every browser of a benchmark is started with. */
export function launchOptions({ systemDns }: Pick<BareOptions, "systemDns">) {
  return {
    executablePath: browserPath(),
    // Puppeteer would give up an analysis after three minutes.
    protocolTimeout: 0,
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...(systemDns ? [] : [NO_OUTSIDE])],
  };
}

/** Starts a browser and warms its pages by analysing an empty one in each. */
export async function openBareBrowser(options: BareOptions): Promise<BareBrowser> {
  const browser = await puppeteer.launch({
    ...launchOptions(options),
    headless: "shell",
    // The scanner's.
    defaultViewport: { width: 1280, height: 800 },
  });
  const pages = await Promise.all(Array.from({ length: options.parallel }, () => warmPage(browser)));

  async function loop(urls: string[]): Promise<BareLoop> {
    const queue = [...urls];
    const sums: BareLoop = { load: 0, inject: 0, run: 0, failed: [] };
    const work = async (page: Page) => {
      for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
        try {
          const { load, inject, run } = await analyse(page, url);
          sums.load += load;
          sums.inject += inject;
          sums.run += run;
        } catch (error) {
          sums.failed.push({ url, why: String(error) });
        }
      }
    };
    await Promise.all(pages.map(work));
    return sums;
  }

  return {
    loop,
    async analyse(url) {
      const [page] = pages;
      if (!page) throw new Error("there is no warm page");
      return analyse(page, url);
    },
    async rest() {
      await Promise.all(pages.map((page) => page.goto("about:blank")));
    },
    close: () => browser.close(),
  };
}

async function warmPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await analyse(page, "data:text/html,<title>warm</title><h1>Warm</h1>");
  return page;
}

const AXE = `${readAxeSource().script};undefined`;
const TAGS = tagsOf(WCAG22AA);

async function analyse(page: Page, url: string): Promise<BareTimes> {
  const began = performance.now();
  await page.goto(url, { waitUntil: "load", timeout: LOAD_WITHIN_MS });
  const loaded = performance.now();
  await page.evaluate(AXE);
  const injected = performance.now();
  await page.evaluate(RUN);
  return { load: loaded - began, inject: injected - loaded, run: performance.now() - injected };
}

const RUN = `axe.run(document, ${JSON.stringify({ runOnly: { type: "tag", values: TAGS } })}).then(() => undefined)`;
