/** The time given for something is over. */
export class OutOfTime extends Error {
  override name = "OutOfTime";
}

export interface Deadline {
  /** Milliseconds left, never below 0. */
  remaining(): number;
  /** Milliseconds gone by so far, without pauses. */
  elapsed(): number;
  /** Stops the clock; what it gives back starts it again. */
  pause(): () => void;
  /** Never resolves; rejects with `OutOfTime` when the time is over. */
  readonly over: Promise<never>;
  /** Ends the clock, so that nothing is left behind. */
  clear(): void;
}

export function startDeadline(ms: number): Deadline {
  let began = performance.now();
  let pausedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let expire = () => {};
  const over = new Promise<never>((_resolve, reject) => {
    expire = () => reject(new OutOfTime(`not done within ${Math.round(ms)} ms`));
  });
  // Nobody may be waiting for it at the moment it is over.
  over.catch(() => {});

  const elapsed = () => (pausedAt ?? performance.now()) - began;
  const remaining = () => Math.max(0, ms - elapsed());
  const run = () => {
    timer = setTimeout(expire, remaining());
  };
  run();
  return {
    over,
    remaining,
    elapsed,
    pause() {
      clearTimeout(timer);
      const at = performance.now();
      pausedAt = at;
      return () => {
        pausedAt = undefined;
        began += performance.now() - at;
        run();
      };
    },
    clear: () => clearTimeout(timer),
  };
}

/** Waits at most `ms`; rejects with `OutOfTime` then. Whoever calls it ends the work that it no longer waits for. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const deadline = startDeadline(ms);
  return Promise.race([work, deadline.over]).finally(deadline.clear);
}

/** Waits until one of the signals is aborted at most; rejects with its reason then. */
export async function unlessAborted<T>(signals: AbortSignal[], work: Promise<T>): Promise<T> {
  const finished = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    for (const signal of signals) {
      const fail = () => reject(signal.reason as Error);
      if (signal.aborted) fail();
      else signal.addEventListener("abort", fail, { signal: finished.signal });
    }
  });
  // A scanner's signal outlives the page by far.
  return Promise.race([work, aborted]).finally(() => finished.abort());
}
