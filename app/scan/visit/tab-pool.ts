import type { BrowserPool, BrowserLease } from "~/scan/browser/browser-pool";
import { within } from "~/platform/async/deadline";
import type { EventLog } from "~/platform/event-log";
import { openEgress, type Egress, type EgressOptions } from "~/scan/network/egress";
import type { SizeLimits } from "~/scan/network/network-watch";
import { isSilenced } from "~/scan/page/stop-scripts";
import { openTab, PageCrashed, type Tab } from "~/scan/page/tab";

/** An empty, unused tab with its own egress. */
export interface OpenedTab {
  readonly tab: Tab;
  readonly egress: Egress;
  /** Ends the tab's connections at once; resolves when the browser has removed all of it. */
  close(): Promise<void>;
}

export interface TabPool {
  /**
   * Returns a tab; a spare one if available.
   * @param alone in a separate browser, which ends with the tab
   * @throws when no browser can be started, or it opens no tab
   */
  take(alone?: boolean): Promise<OpenedTab>;
  /** Opens spare tabs, up to `count`. Callers need not wait for it. */
  prepare(): void;
  /** Closes spare tabs; resolves when every tab is closed. */
  stop(): Promise<void>;
}

export interface TabPoolOptions {
  browsers: BrowserPool;
  egress: EgressOptions;
  limits: SizeLimits;
  /** Number of spare tabs. */
  count: number;
  /** Prepares a tab before its page is known. */
  warmUp: (tab: Tab) => Promise<void>;
  log: EventLog;
}

interface PooledTab extends OpenedTab {
  /** Has the tab's browser been retired or crashed, or has its process crashed? */
  isStale(): boolean;
  /** Calls the listener when the tab becomes stale, until it is closed or taken. */
  onStale(listener: () => void): void;
  taken(): void;
}

/** Time to open an empty page; a slower browser is broken. */
const OPEN_WITHIN_MS = 15_000;
const WARM_WITHIN_MS = 10_000;
const STOP_WITHIN_MS = 3_000;
/** Maximum number of closing tabs: they still use memory, so no new tab opens while there are more of them. */
const MOST_CLOSING = 4;

/** Opens tabs in advance, because their context, process and proxy take longer than many pages do. No tab is used twice. */
export function createTabPool(options: TabPoolOptions): TabPool {
  const { browsers, count, warmUp, log } = options;
  /** Spare tabs in the order of opening. */
  const spares = new Set<Promise<PooledTab>>();
  const closing = new Set<Promise<void>>();
  let stopped = false;

  async function open(alone: boolean): Promise<PooledTab> {
    while (closing.size > MOST_CLOSING) await Promise.race(closing);
    const lease = await browsers.lease(alone);
    let egress: Egress | undefined;
    try {
      egress = await openEgress(options.egress);
      const tab = await within(OPEN_WITHIN_MS, openTab(lease, egress, options.limits));
      return pool(lease, egress, tab);
    } catch (error) {
      // A dead process does not mean a broken browser.
      if (!(error instanceof PageCrashed)) lease.condemn();
      lease.release();
      await egress?.close();
      throw new PageCrashed(`no page could be opened: ${String(error)}`);
    }
  }

  function pool(lease: BrowserLease, egress: Egress, tab: Tab): PooledTab {
    const ends = [lease.retired, tab.crashed];
    const unwatched = new AbortController();
    let closed: Promise<void> | undefined;
    return {
      tab,
      egress,
      isStale: () => ends.some(({ aborted }) => aborted),
      onStale: (listener) =>
        ends.forEach((end) => end.addEventListener("abort", listener, { signal: unwatched.signal })),
      // A browser lives longer than its tabs.
      taken: () => unwatched.abort(),
      close() {
        unwatched.abort();
        closed ??= closeAll();
        return closed;
      },
    };

    function closeAll(): Promise<void> {
      const work = Promise.allSettled([egress.close(), tab.close()]).then(() => {
        lease.release();
        closing.delete(work);
      });
      closing.add(work);
      return work;
    }
  }

  async function openSpare(): Promise<PooledTab> {
    const pooled = await open(false);
    try {
      await within(WARM_WITHIN_MS, warmUp(pooled.tab));
      // On a busy machine, our own sample may have looked like a page that hangs.
      if (isSilenced(pooled.tab.session)) throw new Error("its scripts were silenced");
      return pooled;
    } catch (error) {
      await pooled.close();
      throw error;
    }
  }

  function addSpare(): void {
    const spare = openSpare();
    spares.add(spare);
    spare.then(
      (pooled) => {
        const drop = () => {
          if (spares.delete(spare)) void pooled.close();
        };
        if (pooled.isStale()) drop();
        else pooled.onStale(drop);
      },
      (err: unknown) => {
        // The next page opens its own tab, and reports the error if that fails too.
        if (spares.delete(spare) && !stopped) log("tab could not be prepared ahead", { err });
      },
    );
  }

  async function takeSpare(): Promise<OpenedTab | undefined> {
    for (let [spare] = spares; spare; [spare] = spares) {
      spares.delete(spare);
      const pooled = await spare.catch(() => undefined);
      pooled?.taken();
      if (pooled && !pooled.isStale()) return pooled;
      void pooled?.close();
    }
    return undefined;
  }

  return {
    async take(alone = false) {
      return (!alone && (await takeSpare())) || open(alone);
    },
    prepare() {
      while (!stopped && spares.size < count) addSpare();
    },
    async stop() {
      stopped = true;
      const dropped = [...spares].map((spare) => spare.then((pooled) => pooled.close()));
      spares.clear();
      // Tabs not closed in time end with their browser.
      await within(STOP_WITHIN_MS, Promise.allSettled([...dropped, ...closing])).catch(() => {});
    },
  };
}
