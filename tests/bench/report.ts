// Time until a report of 200 pages and 20,000 elements begins, as a page and as each export, and its cost.
// npm run build && npx tsx tests/bench/report.ts [pages] [elements of a page]
import { readdirSync, readFileSync } from "node:fs";
import { below, conclude, figure, introduce, type Figure } from "./support/figures";
import { readOptions, sized } from "./support/options";
import { newMember } from "../support/accounts/accounts";
import type { FormBrowser } from "../support/browser/form-browser";
import { largeSite } from "./support/large-site";
import { browserProcesses } from "../support/servers/processes";
import { startServer, type TestServer } from "../support/servers/server";
import { finishedRun } from "../support/database/finished-runs";

const { names } = readOptions();
const PAGES = Number(names[0] ?? sized(200, 2));
const ELEMENTS = Number(names[1] ?? sized(100, 8));
const ROUNDS = sized(5, 1);
const MB = 1e6;
const PRINTER = "--user-agent=Rampe ";

introduce("A large report, as a page and as its exports");
const server = await startServer({ env: { BILLING: "off", NODE_ENV: "production", LOG_LEVEL: "error" } });
try {
  const { reader, id } = await readerWithReport(server);
  const pid = pidOf(server);
  const figures = [
    figure("pages, violating elements", `${PAGES}, ${(PAGES * ELEMENTS).toLocaleString("en")}`),
    ...(await measurePage(reader, `/run/${id}`)),
  ];
  for (const format of ["json", "csv", "sarif", "earl.json"]) {
    figures.push(...(await measureStream(reader, `/run/${id}/export.${format}`, format, pid)));
  }
  figures.push(...(await measurePdf(reader, `/run/${id}/export.pdf`, pid)));
  conclude(figures);
} finally {
  await server.stop();
}

/** Signed-in user with a large run. */
async function readerWithReport(server: TestServer): Promise<{ reader: FormBrowser; id: string }> {
  const reader = await newMember(server);
  const { id } = await finishedRun(await server.database(), largeSite({ pages: PAGES, elements: ELEMENTS }), { owner: reader.id, at: Date.now() });
  return { reader, id };
}

interface Taken {
  firstMs: number;
  allMs: number;
  bytes: number;
}

async function take(reader: FormBrowser, address: string): Promise<Taken> {
  const cookie = [...reader.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const began = performance.now();
  const answer = await fetch(new URL(address, server.origin), { headers: { cookie, "accept-encoding": "identity" } });
  if (answer.status !== 200 || !answer.body) throw new Error(`${address} answered ${answer.status}`);
  let bytes = 0;
  let firstMs = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    firstMs ||= performance.now() - began;
    bytes += chunk.length;
  }
  return { firstMs, allMs: performance.now() - began, bytes };
}

/** Median of some requests, by the time to the first byte. */
async function takeSome(reader: FormBrowser, address: string): Promise<Taken> {
  const taken: Taken[] = [];
  for (let round = 0; round < ROUNDS; round += 1) taken.push(await take(reader, address));
  return taken.sort((one, other) => one.firstMs - other.firstMs)[Math.floor(ROUNDS / 2)] as Taken;
}

async function measurePage(reader: FormBrowser, address: string): Promise<Figure[]> {
  const { firstMs, bytes } = await takeSome(reader, address);
  return [
    below("report as a page: first byte, ms", firstMs, 150),
    below("report as a page: KB of HTML", bytes / 1_000, 300),
  ];
}

async function measureStream(reader: FormBrowser, address: string, name: string, pid: number): Promise<Figure[]> {
  await take(reader, address);
  const before = memoryOf(pid);
  const most = watch(() => memoryOf(pid));
  const { firstMs, allMs, bytes } = await takeSome(reader, address);
  return [
    below(`${name}: first byte, ms`, firstMs, 150),
    figure(`${name}: all, s`, (allMs / 1_000).toFixed(2)),
    figure(`${name}: MB`, (bytes / MB).toFixed(1)),
    below(`${name}: more memory of the server, MB`, (most() - before) / MB, 150),
  ];
}

async function measurePdf(reader: FormBrowser, address: string, pid: number): Promise<Figure[]> {
  const before = memoryOf(pid);
  const mostOfServer = watch(() => memoryOf(pid));
  const mostOfPrinter = watch(() => browserProcesses(PRINTER).reduce((sum, { pid }) => sum + ownMemoryOf(pid), 0));
  const { allMs, bytes } = await take(reader, address);
  return [
    below("pdf: s", allMs / 1_000, 30),
    figure("pdf: MB", (bytes / MB).toFixed(1)),
    below("pdf: memory of its browser and more of the server, MB", (mostOfPrinter() + mostOfServer() - before) / MB, 500),
  ];
}

/** Polls; returns a function that ends it and returns the maximum so far. */
function watch(look: () => number): () => number {
  let most = look();
  const timer = setInterval(() => (most = Math.max(most, look())), 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Process id of the server, found by its data folder in the environment. */
function pidOf({ dataDir }: TestServer): number {
  const found = readdirSync("/proc").find((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(`DATA_DIR=${dataDir}\0`));
  if (!found) throw new Error("The server's process was not found.");
  return Number(found);
}

function memoryOf(pid: number): number {
  return kilobytes(pid, "VmRSS") * 1_024;
}

/** Memory of a process without shared parts, which would count once for each process of a browser. */
function ownMemoryOf(pid: number): number {
  return kilobytes(pid, "RssAnon") * 1_024;
}

function kilobytes(pid: number, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
