import { createAddressPolicy } from "./address-policy";
import { readAxeSource } from "./axe-source";
import { createBrowserHost, type BrowserLease } from "./browser-host";
import type { EgressOptions } from "./egress";
import { createSlots } from "./slots";
import type { PageOrder, PageResult, Scanner, ScannerOptions } from "./types";
import { visit } from "./visit";

/** What only tests set. */
interface Substitutes {
  /** Replaces the name service. */
  lookup?: EgressOptions["lookup"];
  browserArgs?: string[];
  pagesPerBrowser?: number;
}

/**
 * Makes a scanner. It starts its browser when it is first needed.
 * @throws {Error} that names the first unusable entry of `allowPrivate`
 */
export function createScanner(options: ScannerOptions & Substitutes): Scanner {
  const { concurrency, log = () => {} } = options;
  const policy = createAddressPolicy(options.allowPrivate);
  const axe = readAxeSource();
  const slots = createSlots(concurrency);
  const browsers = createBrowserHost({ ...options, extraArgs: options.browserArgs, log });
  const running = new Map<AbortController, Promise<unknown>>();
  let stopped = false;

  async function check(order: PageOrder, signal: AbortSignal): Promise<PageResult> {
    const release = await slots.take(signal);
    try {
      const result = await attempt({ ...order, signal });
      if (result.status === "succeeded" || result.reason !== "crashed") return result;
      log("page.crashed", { url: order.url, technical: result.detail.technical });
      return await attempt({ ...order, signal });
    } finally {
      release();
    }
  }

  async function attempt(order: PageOrder & { signal: AbortSignal }): Promise<PageResult> {
    let lease: BrowserLease | undefined;
    try {
      lease = await browsers.lease();
      const budgetMs = options.pageSeconds * 1_000;
      return await visit(order, { lease, policy, lookup: options.lookup, axe, budgetMs, log });
    } catch (error) {
      order.signal.throwIfAborted();
      // No browser starts, or no port is free: that is ours to repair, and the page's failure all the same.
      log("page.not_visited", { url: order.url, err: error });
      return notVisited(order, error);
    } finally {
      lease?.release();
    }
  }

  return {
    engine: axe.engine,
    concurrency,
    async check(order) {
      order.signal?.throwIfAborted();
      if (stopped) throw isStopped();
      const ended = new AbortController();
      const end = () => ended.abort(order.signal?.reason);
      order.signal?.addEventListener("abort", end);
      const checking = check(order, ended.signal);
      running.set(ended, checking);
      try {
        return await checking;
      } finally {
        running.delete(ended);
        order.signal?.removeEventListener("abort", end);
      }
    },
    ready: () => browsers.ready(),
    async stop() {
      stopped = true;
      for (const ended of running.keys()) ended.abort(isStopped());
      await Promise.allSettled(running.values());
      await browsers.stop();
    },
  };
}

const isStopped = () => new Error("the scanner is stopped");

function notVisited({ url }: PageOrder, error: unknown): PageResult {
  const detail = { technical: error instanceof Error ? error.message : String(error) };
  return {
    url,
    finalUrl: url,
    checkedAt: Date.now(),
    durationMs: 0,
    status: "failed",
    reason: "crashed",
    detail,
  };
}
