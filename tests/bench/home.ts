import { Agent, get } from "node:http";
import puppeteer from "puppeteer";
import { browserPath } from "../support/scan/scanner";
import { startServer } from "../support/servers/server";
import { below, conclude, figure, introduce, median, quantile, round, sum } from "./support/figures";
import { sized } from "./support/options";

/*
 * Transfer size of the home page, and time to its first byte. Needs a build.
 *
 *   nice npx tsx tests/bench/home.ts
 */
const KB = 1_000;
const LIMITS = { pageKb: 60, scriptsKb: 110, medianMs: 15 };
const WARM_UP = sized(50, 2);
const REQUESTS = sized(200, 5);

interface Answer {
  /** Size of the transferred body. */
  bytes: number;
  /** Time from the request to the first byte of the answer. */
  firstByteMs: number;
}

introduce("Home: weight, and time to the first byte");
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
// Production build of React, as with `npm start`.
const server = await startServer({ env: { NODE_ENV: "production" } });
try {
  const loaded = await loadedFiles(`${server.origin}/`);
  const weights = [];
  for (const encoding of ["br", "gzip"]) weights.push(await weigh(loaded, encoding));
  report(weights, await firstBytes(`${server.origin}/`));
} finally {
  agent.destroy();
  await server.stop();
}

/** All files that a browser with an empty cache requests for an address. */
async function loadedFiles(address: string): Promise<{ url: string; type: string }[]> {
  const browser = await puppeteer.launch({
    executablePath: browserPath(),
    headless: "shell",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const page = await browser.newPage();
    const files = new Map<string, string>();
    page.on("request", (request) => files.set(request.url(), request.resourceType()));
    await page.goto(address, { waitUntil: "networkidle0" });
    return [...files].map(([url, type]) => ({ url, type }));
  } finally {
    await browser.close();
  }
}

/** Bytes by kind, for a browser with this encoding. */
async function weigh(files: { url: string; type: string }[], encoding: string) {
  const bytes: Record<string, number> = {};
  for (const { url, type } of files) {
    const answer = await request(url, { "accept-encoding": encoding });
    bytes[type] = (bytes[type] ?? 0) + answer.bytes;
  }
  const { document = 0, stylesheet = 0, font = 0, script = 0, ...others } = bytes;
  return { encoding, document, stylesheet, font, page: document + stylesheet + font, script, others: sum(Object.values(others)) };
}

async function firstBytes(url: string): Promise<number[]> {
  const times = [];
  for (let count = -WARM_UP; count < REQUESTS; count += 1) {
    const { firstByteMs } = await request(url, { "accept-encoding": "br, gzip" });
    if (count >= 0) times.push(firstByteMs);
  }
  return times;
}

function request(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = performance.now();
    get(url, { agent, headers }, (response) => {
      const firstByteMs = performance.now() - asked;
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.once("end", () => resolve({ bytes, firstByteMs }));
      response.once("error", reject);
    }).once("error", reject);
  });
}

function report(weights: Awaited<ReturnType<typeof weigh>>[], times: number[]): void {
  const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;
  conclude([
    ...weights.flatMap(({ encoding, document, stylesheet, font, page, script, others }) => [
      figure(`${encoding}: HTML, CSS, fonts`, [document, stylesheet, font].map(kb).join(" + ")),
      below(`${encoding}: these three, KB`, page / KB, LIMITS.pageKb),
      below(`${encoding}: scripts, KB`, script / KB, LIMITS.scriptsKb),
      figure(`${encoding}: icons and the like`, kb(others)),
    ]),
    below("first byte, median, ms", median(times), LIMITS.medianMs),
    figure("first byte, p99, ms", round(quantile(times, 0.99))),
  ]);
}
