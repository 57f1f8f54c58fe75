import { accessSync, constants, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import puppeteer, { type Browser } from "puppeteer";
import { egressFlags } from "~/scan/network/egress";
import { makeProfileFolder, removeProfileFolder } from "./profile-folder";

export interface LaunchOptions {
  executablePath: string;
  userAgent: string;
  /** For tests that need the browser in a certain way. */
  extraArgs?: string[];
}

export interface LaunchedBrowser {
  browser: Browser;
  /** Resolves when its process has ended, and its profile is gone. */
  ended: Promise<void>;
}

/** Starts a browser whose only way out are the proxies of its contexts. */
export async function launchBrowser(
  { executablePath, userAgent, extraArgs = [] }: LaunchOptions,
  signal: AbortSignal,
): Promise<LaunchedBrowser> {
  const userDataDir = makeProfileFolder();
  const headless = /headless[-_]shell/i.test(basename(executablePath)) ? "shell" : true;
  const args = puppeteer.defaultArgs({
    headless,
    userDataDir,
    args: [
      ...egressFlags(),
      `--user-agent=${userAgent}`,
      // A visitor who reads German and English.
      "--accept-lang=de,en",
      // The headless shell's way to say that no page opens a window.
      "--block-new-web-contents",
      // axe-core runs once in each process: what V8 learns about it early pays off (6 % of the CPU time of `throughput.ts`).
      "--js-flags=--no-lazy-feedback-allocation",
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
  try {
    const browser = await puppeteer.launch({
      ...inBackground(executablePath, args.filter((arg) => arg !== "--disable-popup-blocking")),
      ignoreDefaultArgs: true,
      signal,
      // When this process dies, the pipe closes and the browser ends itself.
      pipe: true,
      // The server ends its browsers when it is told to stop.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // Every wait has an end of its own, and a page may have more time than Puppeteer's 180 s.
      protocolTimeout: 0,
      defaultViewport: null,
    });
    yieldToOtherSessions(browser);
    killOnEndlessMessage(browser);
    // The pipes of a killed browser may break after Puppeteer has stopped listening; unheard, that ends this process.
    for (const stream of browser.process()?.stdio ?? []) stream?.on("error", () => {});
    return { browser, ended: hasExited(browser).then(() => removeProfileFolder(userDataDir)) };
  } catch (error) {
    await removeProfileFolder(userDataDir);
    throw error;
  }
}

const NICE = "/usr/bin/nice";
/**
 * Where both want the same processor core, the web server gets nine times as much of it: with three times as much, the
 * slowest hundredth of its answers took four times as long as on an idle machine (`tests/bench/web-while-scanning.ts`).
 */
const NICENESS = 10;

/** Priorities belong to threads and pass on to what they start, so it has to be set before the browser begins. */
function inBackground(executablePath: string, args: string[]): { executablePath: string; args: string[] } {
  try {
    accessSync(NICE, constants.X_OK);
    // With a program that is not there, it would be `nice` that starts and fails.
    accessSync(executablePath, constants.X_OK);
  } catch {
    return { executablePath, args };
  }
  return { executablePath: NICE, args: ["-n", String(NICENESS), executablePath, ...args] };
}

/**
 * Where Linux schedules by sessions (sched(7), "The autogroup feature"), as desktops and small servers do, a process'
 * priority counts within its session alone, and the browser has one of its own.
 */
function yieldToOtherSessions(browser: Browser): void {
  try {
    writeFileSync(`/proc/${browser.process()?.pid}/autogroup`, String(NICENESS));
  } catch {
    // There is no such thing here.
  }
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
    killBrowser(browser);
  });
}

/** With all its processes: where the program is a script, the browser is a child of what was started. */
export function killBrowser(browser: Browser): void {
  const child = browser.process();
  if (!child?.pid) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

function hasExited(browser: Browser): Promise<void> {
  const child = browser.process();
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => void child.once("exit", () => resolve()));
}
