// Transfer size of the home page, and time to its first byte.
// nice npx tsx tests/bench/home.ts (needs a build)
import { Agent, get } from "node:http";
import puppeteer from "puppeteer";
import { browserPath } from "../support/scan/scanner";
import { startServer } from "../support/servers/server";

const KB = 1_000;
const LIMITS = { page: 60 * KB, scripts: 110 * KB, medianMs: 15 };
const WARM_UP = 50;
const REQUESTS = 200;

interface Answer {
  /** Size of the transferred body. */
  bytes: number;
  /** Time from the request to the first byte of the answer. */
  firstByteMs: number;
}

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
  return times.sort((one, other) => one - other);
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
  const quantile = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Infinity;
  const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;
  const within = (value: number, limit: number) => (value < limit ? "ok" : "TOO MUCH");
  const rows = weights.flatMap(({ encoding, document, stylesheet, font, page, script, others }) => [
    [`${encoding}: HTML, CSS, fonts`, `${kb(document)} + ${kb(stylesheet)} + ${kb(font)} = ${kb(page)}`, kb(LIMITS.page), within(page, LIMITS.page)],
    [`${encoding}: scripts`, kb(script), kb(LIMITS.scripts), within(script, LIMITS.scripts)],
    [`${encoding}: icons and the like`, kb(others), "", ""],
  ]);
  rows.push(
    ["first byte, median", `${quantile(0.5).toFixed(1)} ms`, `${LIMITS.medianMs} ms`, within(quantile(0.5), LIMITS.medianMs)],
    ["first byte, p99", `${quantile(0.99).toFixed(1)} ms`, "", ""],
  );
  console.table(rows.map(([what, measured, limit, verdict]) => ({ what, measured, limit, verdict })));
  if (rows.some((row) => row.includes("TOO MUCH"))) process.exitCode = 1;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
