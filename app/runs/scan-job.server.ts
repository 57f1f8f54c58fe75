import { weightOf } from "~/platform/limits/parties.server";
import type { PictureStore } from "~/findings/picture-store.server";
import type { Crawls } from "./crawl.server";
import type { Runs } from "./run.server";
import { crawl, type CrawlOptions } from "~/scan/crawl/crawl";
import type { PageRequest, Scanner } from "~/scan/types";
import type { JobHandler } from "~/platform/jobs/queue";

export interface ScanRunOptions {
  runs: Pick<Runs, "begin" | "finish" | "requeue" | "fail">;
  scanner: Pick<Scanner, "engines" | "check">;
  pictures?: Pick<PictureStore, "put">;
  /** Called after each change of a run's state in the database. */
  onChanged?: (runId: string) => void;
}

/** Job of a run of one page: checks it and stores the results. */
export function scanRun({ runs, scanner, pictures, onChanged = () => {} }: ScanRunOptions): JobHandler {
  return {
    async work({ runId, party, deaths }, { signal, visits }) {
      const request = await runs.begin(runId);
      if (!request) return async () => {};
      onChanged(runId);
      const alone = deaths > 0;
      const result = await scanner.check({ ...request, pagePicture: request.pictures === true, ...turnsOf(party), alone, onBegin: () => visits(alone), signal });
      const stored = await pictures?.put(runId, result);
      return (trx) => runs.finish(trx, runId, result, scanner.engines, stored);
    },
    ...giveUpOrTell(runs, onChanged),
    putBack: (trx, { runId }) => runs.requeue(trx, runId),
  };
}

export interface ScanSiteOptions extends Omit<CrawlOptions, "scanner"> {
  runs: Pick<Runs, "resume" | "conclude" | "requeue" | "fail">;
  crawls: Crawls;
  scanner: Pick<Scanner, "engines" | "check" | "parallel">;
  /** Scanner of a run's pages, if not `scanner`. */
  scannerOf?: (runId: string, request: Pick<PageRequest, "access">) => Pick<Scanner, "check" | "parallel">;
  /** Called after each change of a run's state in the database. */
  onChanged?: (runId: string) => void;
}

/** Job of a run of a whole site: each page is stored as soon as it is checked. */
export function scanSite({ runs, crawls, onChanged = () => {}, scannerOf = () => options.scanner, ...options }: ScanSiteOptions): JobHandler {
  return {
    async work({ runId, party }, { signal, checkpoint, pause, visits }) {
      const request = await runs.resume(runId);
      if (!request) return async () => {};
      onChanged(runId);
      const store = crawls.storeOf(runId, options.scanner.engines, { checkpoint });
      const { accountMaxPages: maxPages = options.maxPages, ...wanted } = request;
      const facts = await crawl({ ...wanted, ...turnsOf(party), onWait: pause, signal }, store, { ...options, scanner: scannerOf(runId, request), maxPages });
      // Crashes from here on count against the whole job: no page is the cause.
      await visits(true);
      const found = await crawls.judge(runId, facts, request.standard);
      return async (trx) => {
        await crawls.conclude(trx, runId, facts, { found, engines: options.scanner.engines });
        await runs.conclude(trx, runId);
      };
    },
    ...giveUpOrTell(runs, onChanged),
    async putBack(trx, { runId }, why) {
      await crawls.putBack(trx, runId, why);
      await runs.requeue(trx, runId);
    },
  };
}

const turnsOf = (party: string) => ({ party: { name: party, weight: weightOf(party) } });

function giveUpOrTell(runs: Pick<Runs, "fail">, onChanged: (runId: string) => void) {
  return {
    giveUp: (trx, { runId }) => runs.fail(trx, runId, "crashed"),
    settled: ({ runId }) => onChanged(runId),
  } satisfies Partial<JobHandler>;
}
