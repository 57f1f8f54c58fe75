import { setImmediate as turn } from "node:timers/promises";
import { isWebAddress } from "~/scan/network/web-address";
import { unzip } from "./decompress";
import type { Site } from "~/scan/crawl/site";
import type { FetchedFile, FetchFailure, SiteFetch } from "~/scan/crawl/site-fetch";
import { readSitemapFile } from "./sitemap-file";

export interface SitemapReport {
  /** Addresses of the site by the sitemap that lists them first, each once, in their order. */
  lists: { sitemap: string; urls: string[] }[];
  /** The first files that could not be read, or not to their end, with why (in English). */
  problems: { url: string; why: string }[];
  /** Number of those that are not listed. */
  moreProblems: number;
  /** A limit was reached: there is more than was read. */
  cut: boolean;
  /** Files read. */
  files: number;
}

export interface SitemapOptions {
  fetch: SiteFetch;
  site: Site;
  mostUrls: number;
  mostFiles: number;
  /** Indexes of indexes are read so far down; 1 is an index with its sitemaps. */
  depth: number;
  /** For all files together; what has been read by then counts. */
  totalMs?: number;
  signal?: AbortSignal;
}

interface SitemapRequest {
  url: string;
  level: number;
}

/** The protocol allows 50 MB, which nobody uses: it allows 50,000 addresses as well, which fit in here. */
const MAX_BYTES = 16 * 1024 * 1024;
const FILE_WITHIN_MS = 20_000;
const TOTAL_MS = 60_000;
/** Files in a row that do not come, after which the site is asked for no more of them. */
const MOST_SILENT = 3;
/** Of files with problems that are listed, and of their addresses' characters. */
const MOST_PROBLEMS = 50;
const LONGEST_URL = 500;

/**
 * Reads sitemaps and what their indexes name, breadth first, one file at a time.
 * Rejects with the signal's reason alone.
 * @param starts the default `/sitemap.xml` need not exist; a file of any other name was named by somebody
 */
export async function readSitemaps(starts: string[], options: SitemapOptions): Promise<SitemapReport> {
  const { fetch, site, mostUrls, mostFiles, depth, totalMs = TOTAL_MS, signal } = options;
  const report: SitemapReport = { lists: [], problems: [], moreProblems: 0, cut: false, files: 0 };
  const deadline = performance.now() + totalMs;
  const urls = new Set<string>();
  const known = new Set<string>();
  const waiting: SitemapRequest[] = [];
  let asked = 0;
  let silent = 0;

  function order(url: string, level: number): void {
    if (known.has(url)) return;
    known.add(url);
    waiting.push({ url, level });
  }

  function note(url: string, why: string): void {
    if (report.problems.length < MOST_PROBLEMS) report.problems.push({ url: url.slice(0, LONGEST_URL), why });
    else report.moreProblems += 1;
  }

  async function read({ url, level }: SitemapRequest, timeoutMs: number): Promise<void> {
    const fail = (why: string) => note(url, why);
    const answer = await fetch.get(url, { maxBytes: MAX_BYTES, timeoutMs, signal });
    signal?.throwIfAborted();
    silent = "reason" in answer && answer.reason !== "blocked_address" ? silent + 1 : 0;
    const refusal = refusalOf(answer);
    if (refusal !== undefined || "reason" in answer) {
      const isMissing = "status" in answer && answer.status >= 400 && answer.status < 500;
      if (!isMissing || !isDefault(url)) fail(refusal ?? "no answer");
      return;
    }

    const { body, cut } = await unzip(answer, MAX_BYTES);
    const file = await readSitemapFile(body, MOST_LOCATIONS, signal);
    if (file.kind === "html" || file.kind === "unknown") {
      if (!isDefault(url) || file.kind === "unknown") fail(file.kind === "html" ? "a web page, no sitemap" : "no sitemap");
      return;
    }
    report.files += 1;
    if (cut || file.cut) report.cut = true;
    if (cut) fail(`longer than ${MAX_BYTES / 1024 / 1024} MB, read so far`);
    else if (file.broken) fail("broken XML, read as far as possible");

    const listed: string[] = [];
    if (file.kind !== "index") report.lists.push({ sitemap: url, urls: listed });
    for (const [index, location] of file.locations.entries()) {
      if (index % SLICE === SLICE - 1) {
        await turn();
        signal?.throwIfAborted();
      }
      const address = absolute(location, answer.url);
      if (address === undefined) continue;
      if (file.kind === "index") follow(address, level + 1);
      else if (take(address)) listed.push(address);
    }
  }

  function follow(url: string, level: number): void {
    if (level > depth) report.cut = true;
    else order(url, level);
  }

  /** False for what is known already, of another site, or too much. */
  function take(url: string): boolean {
    if (!site.includes(url) || urls.has(url)) return false;
    if (urls.size < mostUrls) urls.add(url);
    else report.cut = true;
    return urls.has(url);
  }

  for (const start of starts) {
    const url = absolute(start);
    if (url === undefined) note(start, "no web address");
    else order(url, 0);
  }
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    signal?.throwIfAborted();
    const leftMs = Math.ceil(deadline - performance.now());
    if (asked >= mostFiles || urls.size >= mostUrls || silent >= MOST_SILENT || leftMs <= 0) {
      report.cut = true;
      break;
    }
    asked += 1;
    await read(next, Math.min(FILE_WITHIN_MS, leftMs));
  }
  return report;
}

/** More than any file may have by the protocol. */
const MOST_LOCATIONS = 100_000;
/** After so many of them, others have their turn. */
const SLICE = 1_000;

function refusalOf(answer: FetchedFile | FetchFailure): string | undefined {
  if ("reason" in answer) return `${answer.reason}: ${answer.technical}`;
  return answer.status >= 200 && answer.status <= 299 ? undefined : `HTTP ${answer.status}`;
}

const isDefault = (url: string) => /^https?:\/\/[^/]+\/sitemap\.xml$/.test(url);

/** Undefined for what is no web address. */
function absolute(location: string, base?: string): string | undefined {
  if (!URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  if (url.hash !== "") url.hash = "";
  return isWebAddress(url.href) ? url.href : undefined;
}
