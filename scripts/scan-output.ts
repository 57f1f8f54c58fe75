import { csvHead, csvLines } from "~/reports/exports/csv";
import { headJson, pageJson, runJson } from "~/reports/exports/json";
import { createStatsCounter, type RunFacts } from "~/reports/exports/run";
import { sarifLog } from "~/reports/exports/sarif";
import { pageText } from "~/reports/exports/text";
import type { PageResult } from "~/scan/types";
import type { Format } from "./scan-arguments";

/** Output of results: formats that allow it are written as soon as a page is ready. */
export interface ScanOutput {
  start(): void;
  page(result: PageResult): void;
  finish(run: RunFacts): void;
}

/** @param alone whether exactly one URL is an argument; it is one run */
export function scanOutput(
  { format, site }: { format: Format; site: boolean },
  alone: boolean,
  write: (text: string) => void,
): ScanOutput {
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  if (format === "text") return streaming((page) => write(pageText(page)));
  if (format === "csv")
    return { ...streaming((page) => write(csvLines(page))), start: () => write(csvHead()) };
  if (format === "sarif") return collecting((run, pages) => line(sarifLog(run, pages)));
  if (!alone) return streaming((page) => line(pageJson(page)));
  return site ? growingDocument(write) : collecting((run, pages) => line(runJson(run, pages)));
}

const streaming = (page: (result: PageResult) => void): ScanOutput => ({ start() {}, page, finish() {} });

function collecting(print: (run: RunFacts, pages: PageResult[]) => void): ScanOutput {
  const pages: PageResult[] = [];
  return {
    start() {},
    page: (result) => void pages.push(result),
    finish: (run) => print(run, pages),
  };
}

/** JSON document of a run; each page is written at once, so a site of any size fits in memory. */
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
    finish: (run) => write(`],${JSON.stringify(headJson(run, counter.stats())).slice(1)}\n`),
  };
}
