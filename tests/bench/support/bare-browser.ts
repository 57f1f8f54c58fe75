import puppeteer, { type Browser, type Page } from "puppeteer";
import { tagsOf } from "~/scan/rules/axe-options";
import { readAxeSource } from "~/scan/rules/axe-source";
import { browserPath, WCAG22AA } from "../../support/scan/scanner";

/**
 * Minimum work to analyse pages with axe-core: browsers and tabs are warm, every page is loaded, axe-core is injected
 * and runs once. Nothing is stored, checked or protected.
 */
export interface BareBrowser {
  /** Analyses one page. */
  analyse(url: string): Promise<BareTimes>;
  /** Analyses many pages, with all warm tabs in parallel. */
  loop(urls: string[]): Promise<BareLoop>;
  /** Leaves the shown pages, as their scripts may use the CPU. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** Times in ms. */
interface BareTimes {
  load: number;
  inject: number;
  run: number;
}

interface BareLoop extends BareTimes {
  failed: { url: string; why: string }[];
}

export interface BareOptions {
  /** Number of warm tabs. */
  parallel: number;
  /** Whether it uses the machine's DNS; otherwise all outside names fail immediately. */
  systemDns: boolean;
}

const LOAD_WITHIN_MS = 60_000;

/** Makes outside names fail immediately. */
const NO_OUTSIDE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** Launch options of every browser in a benchmark. */
export function launchOptions({ systemDns }: Pick<BareOptions, "systemDns">) {
  return {
    executablePath: browserPath(),
    // No limit: by default, Puppeteer stops an analysis after three minutes.
    protocolTimeout: 0,
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...(systemDns ? [] : [NO_OUTSIDE])],
  };
}

/** Starts a browser and warms its tabs: each analyses an almost empty page. */
export async function openBareBrowser(options: BareOptions): Promise<BareBrowser> {
  const browser = await puppeteer.launch({
    ...launchOptions(options),
    headless: "shell",
    // Same size as in the scanner.
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
