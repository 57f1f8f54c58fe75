import { accessSync, constants, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import puppeteer, { type Browser } from "puppeteer";
import { egressFlags } from "~/scan/network/egress";
import { makeProfileFolder, removeProfileFolder } from "./profile-folder";
import { lacksSandbox, runsWithoutSandbox, SandboxForbidden } from "./sandbox";

export interface LaunchOptions {
  executablePath: string;
  userAgent: string;
  /** Special browser settings for tests. */
  extraArgs?: string[];
}

export interface LaunchedBrowser {
  browser: Browser;
  /** Resolves when its process has ended and its profile is removed. */
  ended: Promise<void>;
}

/** Starts a browser that reaches the network only through its contexts' proxies. */
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
      // Option of the headless shell: pages open no window.
      "--block-new-web-contents",
      // axe-core runs once per process: early V8 type feedback pays off (6 % of the CPU time of `throughput.ts`).
      "--js-flags=--no-lazy-feedback-allocation",
      // No network traffic outside of pages.
      "--disable-component-update",
      "--disable-domain-reliability",
      "--no-pings",
      // Gliding needs drawn frames, of which a page whose clock is advanced has few (`page-clock.ts`).
      "--disable-smooth-scrolling",
      // Pages do not preload other pages.
      "--disable-features=Prerender2",
      ...(runsWithoutSandbox() ? ["--no-sandbox"] : []),
      ...extraArgs,
    ],
  });
  try {
    const browser = await puppeteer.launch({
      ...inBackground(executablePath, args.filter((arg) => arg !== "--disable-popup-blocking")),
      ignoreDefaultArgs: true,
      signal,
      // When this process ends, the pipe closes and the browser ends itself.
      pipe: true,
      // The server ends its browsers itself when it stops.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // Every wait has its own time limit, and a page may need more than Puppeteer's 180 s.
      protocolTimeout: 0,
      defaultViewport: null,
    });
    yieldToOtherSessions(browser);
    killOnEndlessMessage(browser);
    // The pipes of a killed browser may fail after Puppeteer has stopped listening; an unhandled error would end this
    // process.
    for (const stream of browser.process()?.stdio ?? []) stream?.on("error", () => {});
    return { browser, ended: hasExited(browser).then(() => removeProfileFolder(userDataDir)) };
  } catch (error) {
    const isForbidden = !signal.aborted && process.platform === "linux" && (await lacksSandbox(executablePath, [...args, "--dump-dom"]));
    await removeProfileFolder(userDataDir);
    throw isForbidden ? new SandboxForbidden({ cause: error }) : error;
  }
}

const NICE = "/usr/bin/nice";
/**
 * If both compete for a processor core, the web server gets nine times as much of it: with three times as much, the
 * slowest 1 % of its answers took four times as long as on an idle machine (`tests/bench/web-while-scanning.ts`).
 */
const NICENESS = 10;

/** Child processes inherit thread priorities, so the priority must be set before the browser starts. */
function inBackground(executablePath: string, args: string[]): { executablePath: string; args: string[] } {
  try {
    accessSync(NICE, constants.X_OK);
    // If the program does not exist, `nice` would start and fail instead.
    accessSync(executablePath, constants.X_OK);
  } catch {
    return { executablePath, args };
  }
  return { executablePath: NICE, args: ["-n", String(NICENESS), executablePath, ...args] };
}

/**
 * If Linux schedules by sessions (sched(7), "The autogroup feature"), as on desktops and small servers, a process
 * priority counts only within its session, and the browser has its own session.
 */
function yieldToOtherSessions(browser: Browser): void {
  try {
    writeFileSync(`/proc/${browser.process()?.pid}/autogroup`, String(NICENESS));
  } catch {
    // No autogroup on this system.
  }
}

/** Longer than any expected answer, shorter than Node's limit for strings (512 MB), at which it fails. */
const LONGEST_MESSAGE_BYTES = 128_000_000;

/** A page can make the browser send endless messages, such as a request's headers. */
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

/** Kills all processes of a browser: if the program is a script, the browser is a child of it. */
export function killBrowser(browser: Browser): void {
  const child = browser.process();
  if (!child?.pid) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

function hasExited(browser: Browser): Promise<void> {
  const child = browser.process();
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => void child.once("exit", () => resolve()));
}
