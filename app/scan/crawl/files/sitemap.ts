import { setImmediate as yieldToOtherTasks } from "node:timers/promises";
import { isWebAddress } from "~/scan/network/web-address";
import { decompress } from "./decode";
import type { Site } from "~/scan/crawl/addresses/address";
import type { FetchedFile, FetchFailure, SiteFetch } from "~/scan/crawl/site-fetch";
import { readSitemapFile } from "./sitemap-file";

export interface SitemapReport {
  /** Addresses of the site by the first sitemap that lists them, without duplicates, in order. */
  lists: { sitemap: string; urls: string[] }[];
  /** The first files that could not be read, or not completely, with the reason (in English). */
  problems: { url: string; why: string }[];
  /** Number of further files with problems. */
  moreProblems: number;
  /** A limit was reached: not everything was read. */
  cut: boolean;
  /** Files read. */
  files: number;
}

export interface SitemapOptions {
  fetch: SiteFetch;
  site: Site;
  mostUrls: number;
  mostFiles: number;
  /** Maximum depth of nested indexes; 1 is an index with its sitemaps. */
  depth: number;
  /** Time limit for all files together; results up to then count. */
  totalMs?: number;
  signal?: AbortSignal;
}

interface SitemapRequest {
  url: string;
  level: number;
}

/** The protocol allows 50 MB, which is never used: its other limit, 50,000 addresses, fits in here. */
const MAX_BYTES = 16 * 1024 * 1024;
const FILE_WITHIN_MS = 20_000;
const TOTAL_MS = 60_000;
/** Number of unanswered files in a row after which no more are requested from the site. */
const MOST_SILENT = 3;
/** Limits for listed files with problems, and for the characters of their addresses. */
const MOST_PROBLEMS = 50;
const LONGEST_URL = 500;
/** Maximum length, the same as for links: longer addresses are no pages for people, and each is stored more than once. */
const LONGEST_LOCATION = 2_000;

/**
 * Reads sitemaps and the files in their indexes, breadth first, one file at a time. Rejects only with the signal's
 * reason.
 * @param starts the default `/sitemap.xml` may be missing; any other file was explicitly named
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

  function enqueue(url: string, level: number): void {
    if (known.has(url)) return;
    // Files beyond the limit are not kept: an index of indexes may name millions.
    if (asked + waiting.length >= mostFiles) {
      report.cut = true;
      return;
    }
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

    const { body, cut } = await decompress(answer, MAX_BYTES);
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
        await yieldToOtherTasks();
        signal?.throwIfAborted();
      }
      const address = absolute(location, answer.url);
      if (location.length > LONGEST_LOCATION) report.cut = true;
      if (address === undefined) continue;
      if (file.kind === "index") follow(address, level + 1);
      else if (take(address)) listed.push(address);
    }
  }

  function follow(url: string, level: number): void {
    if (level > depth) report.cut = true;
    else enqueue(url, level);
  }

  /** False for a known address, an address of another site, or one above the limit. */
  function take(url: string): boolean {
    if (!site.includes(url) || urls.has(url)) return false;
    if (urls.size < mostUrls) urls.add(url);
    else report.cut = true;
    return urls.has(url);
  }

  for (const start of starts) {
    const url = absolute(start);
    if (url === undefined) note(start, start.length > LONGEST_LOCATION ? "its address is too long" : "no web address");
    else enqueue(url, 0);
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

/** Maximum of locations: more than the protocol allows per file. */
const MOST_LOCATIONS = 100_000;
/** Number of locations after which other tasks may run. */
const SLICE = 1_000;

function refusalOf(answer: FetchedFile | FetchFailure): string | undefined {
  if ("reason" in answer) return `${answer.reason}: ${answer.technical}`;
  return answer.status >= 200 && answer.status <= 299 ? undefined : `HTTP ${answer.status}`;
}

const isDefault = (url: string) => /^https?:\/\/[^/]+\/sitemap\.xml$/.test(url);

/** Absolute address; undefined if it is not a web address, or too long. */
function absolute(location: string, base?: string): string | undefined {
  if (location.length > LONGEST_LOCATION || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  if (url.hash !== "") url.hash = "";
  return isWebAddress(url.href) ? url.href : undefined;
}
