import { basename } from "node:path";
import { Readable } from "node:stream";
import puppeteer, { type Browser, type CDPSession } from "puppeteer";
import { within } from "./deadline";
import { egressFlags } from "./egress";

export interface BrowserHostOptions {
  executablePath: string;
  userAgent: string;
  /** For tests that need the browser in a certain way. */
  extraArgs?: string[];
  /** After so many pages a browser is replaced by a new one. */
  pagesPerBrowser?: number;
  log: (event: string, fields?: Record<string, unknown>) => void;
}

/** The right to open one page in a browser. */
export interface BrowserLease {
  readonly browser: Browser;
  /** A session of the browser itself. */
  readonly root: CDPSession;
  /** The page is closed. */
  release(): void;
  /** The browser does not answer: kill it. */
  condemn(): void;
}

export interface BrowserHost {
  /** Resolves when a browser runs and answers; starts one where none does. Rejects when that fails. */
  ready(): Promise<void>;
  /** Gives a browser that runs, for one page. Rejects when none can be started. */
  lease(): Promise<BrowserLease>;
  /** Ends every browser; none is started afterwards. */
  stop(): Promise<void>;
}

interface Running {
  browser: Browser;
  root: CDPSession;
  started: number;
  open: number;
  /** Gets no new page. */
  retired: boolean;
  ending?: Promise<void>;
}

const ANSWER_WITHIN_MS = 5_000;
/** On a small machine, and a busy one, with a cold disk. */
const START_WITHIN_MS = 30_000;
/** A browser that needs longer to end is killed. */
const CLOSE_WITHIN_MS = 2_000;

/**
 * Keeps one browser warm. One that has died is replaced when the next page is opened; one that has seen many pages is
 * retired, and closed when the last of its pages is.
 */
export function createBrowserHost(options: BrowserHostOptions): BrowserHost {
  const { pagesPerBrowser = 250, log } = options;
  const all = new Set<Running>();
  let current: Promise<Running> | undefined;
  let stopped = false;

  async function start(): Promise<Running> {
    const starting = new AbortController();
    const browser = await within(START_WITHIN_MS, launch(options, starting.signal)).catch((error: unknown) => {
      starting.abort();
      throw error;
    });
    const running: Running = {
      browser,
      root: await within(ANSWER_WITHIN_MS, browser.target().createCDPSession()),
      started: 0,
      open: 0,
      retired: false,
    };
    all.add(running);
    browser.once("disconnected", () => {
      all.delete(running);
      if (!running.retired) log("browser.died", { pages: running.started });
      running.retired = true;
    });
    log("browser.started", { version: await within(ANSWER_WITHIN_MS, browser.version()) });
    if (stopped) await end(running);
    return running;
  }

  async function usable(): Promise<Running> {
    if (stopped) throw new Error("the scanner is stopped");
    const starting = (current ??= start());
    const forget = () => {
      if (current === starting) current = undefined;
    };
    const running = await starting.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (!running.retired && running.started < pagesPerBrowser) return running;
    forget();
    retire(running);
    return usable();
  }

  function retire(running: Running) {
    running.retired = true;
    if (running.open === 0) void end(running);
  }

  function end(running: Running): Promise<void> {
    running.retired = true;
    running.ending ??= within(CLOSE_WITHIN_MS, running.browser.close())
      .catch(() => kill(running.browser))
      .finally(() => all.delete(running));
    return running.ending;
  }

  return {
    async ready() {
      const { root } = await usable();
      await within(ANSWER_WITHIN_MS, root.send("Browser.getVersion"));
    },
    async lease() {
      const running = await usable();
      running.started += 1;
      running.open += 1;
      let released = false;
      return {
        browser: running.browser,
        root: running.root,
        release() {
          if (released) return;
          released = true;
          running.open -= 1;
          if (running.retired) retire(running);
        },
        condemn() {
          log("browser.condemned", { pages: running.started });
          running.retired = true;
          kill(running.browser);
        },
      };
    },
    async stop() {
      stopped = true;
      if (current) await within(CLOSE_WITHIN_MS, current).catch(() => {});
      await Promise.all([...all].map(end));
    },
  };
}

async function launch(
  { executablePath, userAgent, extraArgs = [] }: BrowserHostOptions,
  signal: AbortSignal,
): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath,
    signal,
    headless: /headless[-_]shell/i.test(basename(executablePath)) ? "shell" : true,
    // When this process dies, the pipe closes and the browser ends itself.
    pipe: true,
    // The server ends its browsers when it is told to stop.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // Every wait has an end of its own, and a page may have more time than Puppeteer's 180 s.
    protocolTimeout: 0,
    defaultViewport: null,
    ignoreDefaultArgs: ["--disable-popup-blocking"],
    args: [
      ...egressFlags(),
      `--user-agent=${userAgent}`,
      // A visitor who reads German and English.
      "--accept-lang=de,en",
      // The headless shell's way to say that no page opens a window.
      "--block-new-web-contents",
      // Nothing that belongs to no page goes over the network.
      "--disable-component-update",
      "--disable-domain-reliability",
      "--no-pings",
      // Nor does a page load others ahead.
      "--disable-features=Prerender2",
      // Chromium's sandbox refuses to run as root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ...extraArgs,
    ],
  });
  killOnEndlessMessage(browser);
  // The pipes of a killed browser may break after Puppeteer has stopped listening; unheard, that ends this process.
  for (const stream of browser.process()?.stdio ?? []) stream?.on("error", () => {});
  return browser;
}

/** More than any answer of ours, and less than the 512 MB at which Node could not make a text of it and would give up. */
const LONGEST_MESSAGE_BYTES = 128_000_000;

/** A page can make the browser tell us of things as long as it likes, such as a request's headers. */
function killOnEndlessMessage(browser: Browser) {
  const pipe = browser.process()?.stdio[4];
  if (!(pipe instanceof Readable)) return;
  let bytes = 0;
  pipe.prependListener("data", (chunk: Buffer) => {
    // Messages end with a NUL.
    const end = chunk.lastIndexOf(0);
    bytes = end === -1 ? bytes + chunk.length : chunk.length - end - 1;
    if (bytes <= LONGEST_MESSAGE_BYTES) return;
    pipe.destroy();
    kill(browser);
  });
}

/** With all its processes: where the program is a script, the browser is a child of what was started. */
function kill(browser: Browser) {
  const child = browser.process();
  if (!child?.pid) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}
