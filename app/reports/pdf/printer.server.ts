import type { Browser, CDPSession } from "puppeteer";
import { killBrowser, launchBrowser } from "~/scan/browser/browser-launch";
import { within } from "~/platform/async/deadline";
import type { EventLog } from "~/platform/event-log";

/** Time limit for the start of the browser: enough for a small, busy machine with a cold disk. */
const START_WITHIN_MS = 30_000;
/** Time limit for printing: enough for some hundred pages; a longer time means an error. */
const PRINT_WITHIN_MS = 60_000;
/** Queue limit: further requests are refused at once. */
export const MOST_WAITING = 5;

export type PdfFile = Uint8Array<ArrayBuffer>;

/** Printer for documents of this application. */
export interface PdfPrinter {
  /**
   * Prints a document as a tagged PDF with outline, title and language; one at a time (mutex).
   * @param runId run of the document
   * @param write makes the document in its turn: HTML with all resources inline, printed without network and scripts
   * @returns null if too many others are waiting
   * @throws if the browser fails or takes too long; the signal's reason if it is aborted first
   */
  print(runId: string, write: () => Promise<string>, signal?: AbortSignal): Promise<PdfFile | null>;
  /** Cancels the current print; refuses all later requests. */
  stop(): Promise<void>;
}

export interface PdfPrinterOptions {
  /** Path of Chromium or its headless shell. */
  executablePath: string;
  log: EventLog;
}

/** Isolation: each document has its own browser process. */
export function createPdfPrinter({ executablePath, log }: PdfPrinterOptions): PdfPrinter {
  const stopped = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function print(runId: string, write: () => Promise<string>, signal?: AbortSignal): Promise<PdfFile | null> {
    if (waiting > MOST_WAITING) return null;
    waiting += 1;
    const signals = AbortSignal.any([stopped.signal, ...(signal ? [signal] : [])]);
    // An aborted request is no longer counted, although its turn comes later.
    let isCounted = true;
    const leave = () => {
      if (isCounted) waiting -= 1;
      isCounted = false;
    };
    signals.addEventListener("abort", leave, { once: true });
    const mine = last.then(() => printNow(runId, write, signals));
    last = mine.catch(() => {});
    return mine.finally(leave);
  }

  async function printNow(run: string, write: () => Promise<string>, signal: AbortSignal): Promise<PdfFile> {
    signal.throwIfAborted();
    const began = performance.now();
    const html = await write();
    const starting = new AbortController();
    const launching = launchBrowser({ executablePath, userAgent: "Rampe" }, AbortSignal.any([signal, starting.signal]));
    const { browser, ended } = await within(START_WITHIN_MS, launching).catch((error: unknown) => {
      starting.abort();
      throw error;
    });
    const kill = () => killBrowser(browser);
    signal.addEventListener("abort", kill);
    try {
      signal.throwIfAborted();
      const pdf = await within(PRINT_WITHIN_MS, pdfOf(browser, html));
      log("report printed", { run, ms: Math.round(performance.now() - began), bytes: pdf.length });
      return pdf;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", kill);
      kill();
      await ended;
    }
  }

  return {
    print,
    async stop() {
      stopped.abort(new Error("the printer is stopped"));
      await last;
    },
  };
}

async function pdfOf(browser: Browser, html: string): Promise<PdfFile> {
  const page = await browser.newPage();
  const session = await page.createCDPSession();
  await session.send("Emulation.setScriptExecutionDisabled", { value: true });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: true,
    latency: 0,
    downloadThroughput: 0,
    uploadThroughput: 0,
  });
  const { frameTree } = await session.send("Page.getFrameTree");
  await session.send("Page.setDocumentContent", { frameId: frameTree.frame.id, html });
  const { stream } = await session.send("Page.printToPDF", {
    preferCSSPageSize: true,
    printBackground: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
    transferMode: "ReturnAsStream",
  });
  if (!stream) throw new Error("the browser printed nothing");
  return readAll(session, stream);
}

async function readAll(session: CDPSession, handle: string): Promise<PdfFile> {
  const chunks: Buffer[] = [];
  for (;;) {
    const { data, base64Encoded, eof } = await session.send("IO.read", { handle });
    chunks.push(Buffer.from(data, base64Encoded ? "base64" : "utf8"));
    if (eof) return Buffer.concat(chunks);
  }
}
