import type { BrowserPool, BrowserLease } from "~/scan/browser/browser-pool";
import { within } from "~/scan/browser/deadline";
import { openEgress, type Egress, type EgressOptions } from "~/scan/network/egress";
import type { SizeLimits } from "~/scan/network/network-watch";
import { isSilenced } from "~/scan/page/stop-scripts";
import { openTab, PageCrashed, type Tab } from "~/scan/page/tab";

/** An empty tab that nobody has used, with its own way out. */
export interface OpenedTab {
  readonly tab: Tab;
  readonly egress: Egress;
  /** Ends its connections at once, and resolves when nothing of it is left in the browser. */
  close(): Promise<void>;
}

export interface TabPool {
  /**
   * Gives a tab; one that has been kept ready, if there is one.
   * @param alone in a browser of its own, which ends with the tab
   * @throws when no browser can be started, or it opens no tab
   */
  take(alone?: boolean): Promise<OpenedTab>;
  /** Opens tabs for later, up to the number that is kept ready. Nobody need wait for it. */
  prepare(): void;
  /** Closes what is kept ready, and resolves when every tab is closed. */
  stop(): Promise<void>;
}

export interface TabPoolOptions {
  browsers: BrowserPool;
  egress: EgressOptions;
  limits: SizeLimits;
  /** How many are kept ready. */
  count: number;
  /** Does in a tab what can be done before it is known which page it is for. */
  warmUp: (tab: Tab) => Promise<void>;
  log: (event: string, fields?: Record<string, unknown>) => void;
}

interface Kept extends OpenedTab {
  /** Its browser is to end, or has died, or its process has. */
  isStale(): boolean;
  /** Calls when it becomes so, until it is closed or taken. */
  onStale(listener: () => void): void;
  taken(): void;
}

/** A browser that needs longer for an empty page is broken. */
const OPEN_WITHIN_MS = 15_000;
const WARM_WITHIN_MS = 10_000;
const STOP_WITHIN_MS = 3_000;
/** Tabs that are being closed hold memory, too, so that no more are opened while there are more of these. */
const MOST_CLOSING = 4;

/**
 * Opens tabs ahead of time: the context, process and proxy that each has for itself take longer than many a page does.
 * None is used twice.
 */
export function createTabPool(options: TabPoolOptions): TabPool {
  const { browsers, count, warmUp, log } = options;
  /** In the order in which they will be ready. */
  const spares = new Set<Promise<Kept>>();
  const closing = new Set<Promise<void>>();
  let stopped = false;

  async function open(alone: boolean): Promise<Kept> {
    while (closing.size > MOST_CLOSING) await Promise.race(closing);
    const lease = await browsers.lease(alone);
    let egress: Egress | undefined;
    try {
      egress = await openEgress(options.egress);
      const tab = await within(OPEN_WITHIN_MS, openTab(lease, egress, options.limits));
      return keep(lease, egress, tab);
    } catch (error) {
      // A process that has died says nothing about the browser.
      if (!(error instanceof PageCrashed)) lease.condemn();
      lease.release();
      await egress?.close();
      throw new PageCrashed(`no page could be opened: ${String(error)}`);
    }
  }

  function keep(lease: BrowserLease, egress: Egress, tab: Tab): Kept {
    const ends = [lease.retired, tab.crashed];
    const unwatched = new AbortController();
    let closed: Promise<void> | undefined;
    return {
      tab,
      egress,
      isStale: () => ends.some(({ aborted }) => aborted),
      onStale: (listener) =>
        ends.forEach((end) => end.addEventListener("abort", listener, { signal: unwatched.signal })),
      // A browser outlives its tabs by far.
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

  async function openSpare(): Promise<Kept> {
    const kept = await open(false);
    try {
      await within(WARM_WITHIN_MS, warmUp(kept.tab));
      // On a busy machine, our own sample may have been taken for a page that hangs.
      if (isSilenced(kept.tab.session)) throw new Error("its scripts were silenced");
      return kept;
    } catch (error) {
      await kept.close();
      throw error;
    }
  }

  function addSpare(): void {
    const spare = openSpare();
    spares.add(spare);
    spare.then(
      (kept) => {
        const drop = () => {
          if (spares.delete(spare)) void kept.close();
        };
        if (kept.isStale()) drop();
        else kept.onStale(drop);
      },
      (err: unknown) => {
        // The next page opens its own tab, and says what is wrong if that fails as well.
        if (spares.delete(spare) && !stopped) log("tab.not_prepared", { err });
      },
    );
  }

  async function takeSpare(): Promise<OpenedTab | undefined> {
    for (let [spare] = spares; spare; [spare] = spares) {
      spares.delete(spare);
      const kept = await spare.catch(() => undefined);
      kept?.taken();
      if (kept && !kept.isStale()) return kept;
      void kept?.close();
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
      const dropped = [...spares].map((spare) => spare.then((kept) => kept.close()));
      spares.clear();
      // What does not close in time ends with its browser.
      await within(STOP_WITHIN_MS, Promise.allSettled([...dropped, ...closing])).catch(() => {});
    },
  };
}
