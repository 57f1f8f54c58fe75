import { SINGLE_PROCESS, type Installation } from "~/platform/installation/installation";

export interface RunEvents {
  /** Notifies listeners of a changed run; they read the details from the database. */
  notify(runId: string): void;
  /** Calls `listener` after every change, until the returned function is called. */
  subscribe(runId: string, listener: () => void): () => void;
  /**
   * Resolves with true as soon as `isDone` does (called at once and after every change), with false after `ms` or when
   * `signal` aborts. Rejects with the error of `isDone`.
   */
  waitFor(runId: string, isDone: () => Promise<boolean>, ms: number, signal?: AbortSignal): Promise<boolean>;
}

/** Change events of runs, in all processes of an installation. */
export function createRunEvents({ notify: notifyOthers, on }: Pick<Installation, "notify" | "on"> = SINGLE_PROCESS): RunEvents {
  const listeners = new Map<string, Set<() => void>>();
  on("run changed", (runId) => {
    for (const each of runId === null ? [...listeners.keys()] : [runId]) notifyHere(each);
  });

  return { notify, subscribe, waitFor };

  function notify(runId: string): void {
    notifyHere(runId);
    notifyOthers("run changed", runId);
  }

  function notifyHere(runId: string): void {
    for (const listener of [...(listeners.get(runId) ?? [])]) listener();
  }

  function subscribe(runId: string, listener: () => void): () => void {
    const ofRun = listeners.get(runId) ?? new Set();
    // New function, so that each subscription is separate, even with the same listener.
    const own = () => listener();
    listeners.set(runId, ofRun.add(own));
    return () => {
      ofRun.delete(own);
      if (ofRun.size === 0 && listeners.get(runId) === ofRun) listeners.delete(runId);
    };
  }

  async function waitFor(
    runId: string,
    isDone: () => Promise<boolean>,
    ms: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    let changes = 0;
    let wake = () => {};
    const onNews = () => {
      changes += 1;
      wake();
    };
    let over = signal?.aborted ?? false;
    const onEnd = () => {
      over = true;
      onNews();
    };
    const unsubscribe = subscribe(runId, onNews);
    const timer = setTimeout(onEnd, ms);
    signal?.addEventListener("abort", onEnd);
    try {
      for (;;) {
        const seen = changes;
        if (await isDone()) return true;
        if (over) return false;
        // No wait after a change during `isDone`: it would be missed.
        if (changes === seen) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      unsubscribe();
      clearTimeout(timer);
      signal?.removeEventListener("abort", onEnd);
    }
  }
}
