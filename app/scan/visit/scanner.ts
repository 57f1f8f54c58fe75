import { createAddressPolicy } from "~/scan/network/address-policy";
import { readAxeSource } from "~/scan/rules/axe-source";
import { PAGE_RULES, RULES_VERSION } from "~/scan/rules/rampe/index";
import { rulesScript } from "~/scan/rules/rampe/script";
import { createBrowserPool } from "~/scan/browser/browser-pool";
import { mostMemoryOfPage, roomForAnotherPage } from "~/scan/browser/concurrency";
import { createNameService, type Lookup } from "~/scan/network/name-service";
import { createSemaphore, type PermitRequest } from "~/scan/browser/semaphore";
import { createTabPool } from "./tab-pool";
import type { PageRequest, PageResult, Scanner, ScannerOptions } from "~/scan/types";
import { unvisitedPage } from "~/scan/unvisited-page";
import { SIZE_LIMITS, visit } from "./visit";
import { warmUp } from "./warm-up";

/** Set only by tests. */
interface Substitutes {
  /** Replaces the name service. */
  lookup?: Lookup;
  browserArgs?: string[];
  pagesPerBrowser?: number;
  bytesPerPage?: number;
}

const permitRequestOf = ({ party, priority }: PageRequest): PermitRequest => ({ party, background: priority === "background" });

/**
 * Number of parallel pages: one loads while others are analysed, because loading needs the network, analysis the processor. Not with a
 * concurrency of 1 (one processor, or one page at a time).
 */
const parallelOf = (concurrency: number) => (concurrency > 1 ? concurrency + 1 : 1);

/** Limit for crashes of a page, and for failures to open a tab: if both happen once, neither proves that the page is the cause. */
const MOST_OF_A_KIND = 2;

interface Attempt {
  result: PageResult;
  /** A tab was opened for the request. */
  isOpened: boolean;
}

/** Maximum number of spare tabs: each uses the memory of an empty page, and more would rarely be ready in time. */
const MOST_SPARE_TABS = 2;

/**
 * Creates a scanner. Its browser starts on first use.
 * @throws {Error} that names the first unusable entry of `allowPrivate`
 */
export function createScanner(options: ScannerOptions & Substitutes): Scanner {
  const { concurrency, log = () => {} } = options;
  const policy = createAddressPolicy(options.allowPrivate);
  const axe = readAxeSource();
  const ownRules = options.ruleTexts ? rulesScript(PAGE_RULES, options.ruleTexts) : "";
  const parallel = parallelOf(concurrency);
  const slots = createSemaphore(parallel, { roomForMore: roomForAnotherPage });
  const analyses = createSemaphore(concurrency);
  const retries = createSemaphore(1);
  const browsers = createBrowserPool({
    bytesPerPage: mostMemoryOfPage(parallel),
    ...options,
    extraArgs: options.browserArgs,
    log,
  });
  const tabs = createTabPool({
    browsers,
    egress: { policy, names: createNameService({ policy, lookup: options.lookup }), log },
    limits: SIZE_LIMITS,
    count: Math.min(parallel, MOST_SPARE_TABS),
    // Skipped during analyses: it would take as much time from them as it saves for the next page.
    warmUp: async (tab) => void (running.size === 0 && (await warmUp(tab, axe.script, ownRules))),
    log,
  });
  const running = new Map<AbortController, Promise<unknown>>();
  let stopped = false;

  async function check(request: PageRequest, signal: AbortSignal): Promise<PageResult> {
    const release = await slots.take(signal, { ...permitRequestOf(request), alone: request.alone });
    try {
      await request.onBegin?.();
      const failures = { opened: 0, unopened: 0 };
      for (let next = attempt; ; next = retry) {
        const { result, isOpened } = await next({ ...request, signal });
        if (result.status === "succeeded" || result.reason !== "crashed") return result;
        const count = (failures[isOpened ? "opened" : "unopened"] += 1);
        if (count === MOST_OF_A_KIND) return result;
        log("page.crashed", { url: request.url, technical: result.detail.technical });
      }
    } finally {
      release();
      if (!stopped) tabs.prepare();
    }
  }

  /** Retries in a separate browser, so that this page and others cannot affect each other. */
  async function retry(request: PageRequest & { signal: AbortSignal }): Promise<Attempt> {
    const release = await retries.take(request.signal);
    try {
      return await attempt(request, true);
    } finally {
      release();
    }
  }

  async function attempt(request: PageRequest & { signal: AbortSignal }, alone = false): Promise<Attempt> {
    let isOpened = false;
    const open = async () => {
      const opened = await tabs.take(alone);
      isOpened = true;
      return opened;
    };
    try {
      const result = await visit(request, {
        open,
        takePermit: (signal) => analyses.take(signal, permitRequestOf(request)),
        axe,
        ownRules,
        budgetMs: options.pageSeconds * 1_000,
      });
      return { result, isOpened };
    } catch (error) {
      request.signal.throwIfAborted();
      // No browser starts, or no port is free: our error, but the page still fails.
      log("page.not_visited", { url: request.url, err: error });
      const technical = error instanceof Error ? error.message : String(error);
      return { result: unvisitedPage(request.url, "crashed", { technical, browserDied: true }), isOpened };
    }
  }

  return {
    engines: [axe.engine, ...(ownRules ? [{ name: "rampe" as const, version: RULES_VERSION }] : [])],
    parallel,
    async check(request) {
      request.signal?.throwIfAborted();
      if (stopped) throw isStopped();
      const ended = new AbortController();
      const end = () => ended.abort(request.signal?.reason);
      request.signal?.addEventListener("abort", end);
      const checking = check(request, ended.signal);
      running.set(ended, checking);
      try {
        return await checking;
      } finally {
        running.delete(ended);
        request.signal?.removeEventListener("abort", end);
      }
    },
    async ready() {
      await browsers.ready();
      tabs.prepare();
    },
    async stop() {
      stopped = true;
      for (const ended of running.keys()) ended.abort(isStopped());
      // First the browsers: without them, tabs and checks end at once.
      await browsers.stop();
      await tabs.stop();
      await Promise.allSettled(running.values());
    },
  };
}

const isStopped = () => new Error("the scanner is stopped");
