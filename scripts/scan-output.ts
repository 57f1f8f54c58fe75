import { csvHead, csvLines } from "~/reports/exports/csv";
import { headJson, pageJson, runJson } from "~/reports/exports/json";
import { createStatsCounter, type RunFacts } from "~/reports/exports/run";
import { sarifLog } from "~/reports/exports/sarif";
import { pageText } from "~/reports/exports/text";
import { withSiteFindings, type SiteFindings } from "~/scan/site/judge-site";
import { NO_GAPS, type CheckedPage, type PageResult } from "~/scan/types";
import type { ScanArguments } from "./scan-arguments";

/** Output of results. Formats that allow it are written as soon as a page is ready. */
export interface ScanOutput {
  start(): void;
  page(result: PageResult): void;
  /** Writes findings about a site, after all of its pages. */
  site(found: SiteFindings): void;
  finish(run: RunFacts): void;
}

/** @param alone true for exactly one URL as argument: one run */
export function scanOutput(
  { format, site, checks }: Pick<ScanArguments, "format" | "site" | "checks">,
  alone: boolean,
  write: (text: string) => void,
): ScanOutput {
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  if (format === "text") return streaming((page) => write(pageText(page)), () => write("Across the pages of the site:\n\n"));
  if (format === "csv")
    return { ...streaming((page) => write(csvLines(page))), start: () => write(csvHead()) };
  // Only the analyses of `pro` compare pages.
  const ordered = site && checks === "pro" ? keeping : (output: ScanOutput) => output;
  if (format === "sarif") return ordered(collecting((run, pages) => line(sarifLog(run, pages))));
  if (!alone) return ordered(streaming((page) => line(pageJson(page))));
  return ordered(site ? growingDocument(write) : collecting((run, pages) => line(runJson(run, pages))));
}

const NOTHING = { violations: [], incomplete: [], passes: [], inapplicable: [] };

/** Writes each page at once; findings about the site come after all pages, each at the address of its page. */
function streaming(write: (page: PageResult) => void, head = () => {}): ScanOutput {
  let written = new Map<string, CheckedPage>();
  return {
    start() {},
    page(result) {
      write(result);
      if (result.status === "succeeded") written.set(result.url, { ...result, partial: [], gaps: NO_GAPS, findings: NOTHING, facts: undefined });
    },
    site(found) {
      const told = [...found].filter(([, { violations, incomplete }]) => violations.length + incomplete.length > 0);
      if (told.length > 0) head();
      for (const [url, findings] of told) {
        const page = written.get(url);
        if (page) write({ ...page, findings });
      }
      written = new Map();
    },
    finish() {},
  };
}

/** Keeps the pages of a site in memory until the findings about it are known, for formats with all findings of a page in one place. */
function keeping(output: ScanOutput): ScanOutput {
  let pages: PageResult[] = [];
  const site = (found: SiteFindings) => {
    for (const page of pages) output.page(withSiteFindings(page, found));
    pages = [];
  };
  return {
    start: output.start,
    page: (result) => void pages.push(result),
    site,
    finish(run) {
      site(new Map());
      output.finish(run);
    },
  };
}

function collecting(print: (run: RunFacts, pages: PageResult[]) => void): ScanOutput {
  const pages: PageResult[] = [];
  return {
    start() {},
    page: (result) => void pages.push(result),
    site() {},
    finish: (run) => print(run, pages),
  };
}

/** JSON document of a run. Each page is written at once, so that memory use does not depend on the length. */
function growingDocument(write: (text: string) => void): ScanOutput {
  const counter = createStatsCounter();
  let between = "";
  return {
    start: () => write(`{"pages":[`),
    page(result) {
      write(`${between}${JSON.stringify(pageJson(result))}`);
      between = ",";
      counter.add(result);
    },
    site() {},
    finish: (run) => write(`],${JSON.stringify(headJson(run, counter.stats())).slice(1)}\n`),
  };
}
