import { setMaxListeners } from "node:events";
import type { Browser, CDPSession } from "puppeteer";
import { killBrowser, launchBrowser, type LaunchOptions } from "./browser-launch";
import { within } from "~/platform/async/deadline";
import type { EventLog } from "~/platform/event-log";
import { abbreviateLongTexts } from "./long-texts";
import { privateMemory } from "./memory";
import { guardMemory } from "./memory-guard";
import { removeLeftovers } from "./profile-folder";

export interface BrowserPoolOptions extends LaunchOptions {
  /** Number of pages after which a browser is replaced. */
  pagesPerBrowser?: number;
  /** A larger browser is replaced too; in bytes, without the processes of its pages. */
  bytesPerBrowser?: number;
  /** A page whose process uses more is ended; in bytes. */
  bytesPerPage?: number;
  log: EventLog;
}

/** The right to open one page in a browser. */
export interface BrowserLease {
  readonly browser: Browser;
  /** CDP session of the browser, not of a page. */
  readonly root: CDPSession;
  /** Aborted when the browser takes no new pages, or has crashed. */
  readonly retired: AbortSignal;
  /** Was a page's process just ended because of its memory? */
  overgrown(): boolean;
  /** The page is closed. */
  release(): void;
  /** The browser does not answer: kill it. */
  condemn(): void;
}

export interface BrowserPool {
  /** Resolves when a browser runs and answers; starts one if needed. Rejects when that fails. */
  ready(): Promise<void>;
  /**
   * Leases a running browser for one page. Rejects when none can be started.
   * @param alone in a separate browser, which ends with the page
   */
  lease(alone?: boolean): Promise<BrowserLease>;
  /** Ends every browser; no browser starts afterwards. */
  stop(): Promise<void>;
}

interface Running {
  browser: Browser;
  root: CDPSession;
  started: number;
  open: number;
  /** Aborted when it takes no new page. */
  retired: AbortController;
  /** Time when a page's process was last ended for its memory. */
  overgrownAt: number;
  ended: Promise<void>;
  ending?: Promise<void>;
}

const ANSWER_WITHIN_MS = 5_000;
/** Enough for a small, busy machine with a cold disk. */
const START_WITHIN_MS = 30_000;
/** A browser that takes longer to end is killed. */
const CLOSE_WITHIN_MS = 2_000;
/** Measuring takes a moment, so it is not done after every page. */
const MEASURE_EVERY = 10;
/** The event of an ended process arrives within this time. */
const OVERGROWN_FOR_MS = 2_000;

/**
 * Keeps one browser ready. A dead one is replaced when the next page opens; one with many pages or much memory is
 * retired, and closed after its last page.
 */
export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const { pagesPerBrowser = 250, bytesPerBrowser = 600_000_000, bytesPerPage = Infinity, log } = options;
  const all = new Set<Running>();
  let current: Promise<Running> | undefined;
  let cleaned: Promise<void> | undefined;
  const stopping = new AbortController();

  async function start(): Promise<Running> {
    cleaned ??= removeLeftovers().catch((err: unknown) => log("leftovers of earlier browsers could not be deleted", { err }));
    const starting = new AbortController();
    const launching = launchBrowser(options, AbortSignal.any([starting.signal, stopping.signal]));
    const { browser, ended } = await within(START_WITHIN_MS, launching).catch((error: unknown) => {
      starting.abort();
      throw error;
    });
    try {
      const root = await within(ANSWER_WITHIN_MS, browser.target().createCDPSession());
      abbreviateLongTexts(browser, root);
      log("browser started", { version: await within(ANSWER_WITHIN_MS, browser.version()) });
      const running = follow(browser, root, ended);
      if (stopping.signal.aborted) await kill(running);
      return running;
    } catch (error) {
      killBrowser(browser);
      throw error;
    }
  }

  function follow(browser: Browser, root: CDPSession, ended: Promise<void>): Running {
    const retired = retirement();
    const endGuard = guardMemory({
      root,
      mostBytes: bytesPerPage,
      onPageOvergrown(bytes) {
        running.overgrownAt = performance.now();
        log("page.overgrown", { bytes });
      },
      onBrowserOvergrown(bytes) {
        log("browser killed, as it took too much memory", { bytes, pages: running.started });
        retired.abort();
        killBrowser(browser);
      },
    });
    const running: Running = {
      browser,
      root,
      started: 0,
      open: 0,
      retired,
      overgrownAt: -Infinity,
      ended,
    };
    all.add(running);
    browser.once("disconnected", () => {
      endGuard();
      all.delete(running);
      if (!retired.signal.aborted) log("browser ended unexpectedly", { pages: running.started });
      retired.abort();
    });
    return running;
  }

  async function usable(): Promise<Running> {
    if (stopping.signal.aborted) throw new Error("the scanner is stopped");
    const starting = (current ??= start());
    const forget = () => {
      if (current === starting) current = undefined;
    };
    const running = await starting.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (!running.retired.signal.aborted && running.started < pagesPerBrowser) return running;
    forget();
    retire(running);
    return usable();
  }

  function retire(running: Running) {
    running.retired.abort();
    if (running.open === 0) void end(running);
  }

  function end(running: Running): Promise<void> {
    running.retired.abort();
    running.ending ??= within(CLOSE_WITHIN_MS, running.browser.close())
      .catch(() => killBrowser(running.browser))
      .then(() => within(CLOSE_WITHIN_MS, running.ended).catch(() => {}))
      .finally(() => all.delete(running));
    return running.ending;
  }

  /** Kills a browser at a stop: a busy one may take seconds to close, and has nothing to keep. */
  function kill(running: Running): Promise<void> {
    running.retired.abort();
    killBrowser(running.browser);
    return within(CLOSE_WITHIN_MS, running.ended).catch(() => {});
  }

  /** Renderers end with their pages; the other processes never return their memory. */
  async function measure(running: Running): Promise<void> {
    const { processInfo } = await within(ANSWER_WITHIN_MS, running.root.send("SystemInfo.getProcessInfo"));
    const lasting = processInfo.filter(({ type }) => type !== "renderer");
    const bytes = privateMemory(lasting.map(({ id }) => id));
    if (bytes <= bytesPerBrowser || running.retired.signal.aborted) return;
    log("browser replaced, as it kept too much memory", { pages: running.started, bytes });
    retire(running);
  }

  function leaseOf(running: Running, alone: boolean): BrowserLease {
    running.started += 1;
    running.open += 1;
    let released = false;
    return {
      browser: running.browser,
      root: running.root,
      retired: running.retired.signal,
      overgrown: () => performance.now() - running.overgrownAt < OVERGROWN_FOR_MS,
      release() {
        if (released) return;
        released = true;
        running.open -= 1;
        if (alone || running.retired.signal.aborted) retire(running);
        // If the browser does not answer, its next page detects that.
        else if (running.started % MEASURE_EVERY === 0) measure(running).catch(() => {});
      },
      condemn() {
        log("browser killed after a fault", { pages: running.started });
        running.retired.abort();
        killBrowser(running.browser);
      },
    };
  }

  return {
    async ready() {
      const { root } = await usable();
      await within(ANSWER_WITHIN_MS, root.send("Browser.getVersion"));
    },
    async lease(alone = false) {
      if (stopping.signal.aborted) throw new Error("the scanner is stopped");
      return leaseOf(await (alone ? start() : usable()), alone);
    },
    async stop() {
      stopping.abort();
      if (current) await within(CLOSE_WITHIN_MS, current).catch(() => {});
      await Promise.all([...all].map(kill));
      await cleaned;
    },
  };
}

/** No listener limit: every tab listens to it. */
function retirement(): AbortController {
  const retired = new AbortController();
  setMaxListeners(0, retired.signal);
  return retired;
}
