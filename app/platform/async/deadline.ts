/** The time limit has passed. */
export class OutOfTime extends Error {
  override name = "OutOfTime";
}

export interface Deadline {
  /** Milliseconds left, never below 0. */
  remaining(): number;
  /** Elapsed milliseconds, without pauses. */
  elapsed(): number;
  /** Stops the clock; the returned function starts it again. */
  pause(): () => void;
  /** Never resolves; rejects with `OutOfTime` when the time is over. */
  readonly over: Promise<never>;
  /** Clears the timer. */
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
  // Avoids an unhandled rejection if no caller waits at that moment.
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

/**
 * Waits at most `ms`; then rejects with `OutOfTime`, or with the error from `late`. The work continues: the caller must
 * end it.
 */
export async function within<T>(ms: number, work: Promise<T>, late?: () => Error): Promise<T> {
  const deadline = startDeadline(ms);
  const over = late ? deadline.over.catch(() => Promise.reject(late())) : deadline.over;
  return Promise.race([work, over]).finally(deadline.clear);
}

/** Like `within`, but the work gets a signal, which is aborted at the end of the time. */
export async function withinSignal<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  return within(ms, work(over.signal)).finally(() => over.abort());
}

/** Waits at most `ms`; then resolves with `otherwise`. The work itself continues. */
export async function withinOr<T, Otherwise>(ms: number, work: Promise<T>, otherwise: Otherwise): Promise<T | Otherwise> {
  try {
    return await within(ms, work);
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return otherwise;
  }
}

/** Waits at most until one of the signals is aborted; then rejects with its reason. */
export async function unlessAborted<T>(signals: AbortSignal[], work: Promise<T>): Promise<T> {
  const finished = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    for (const signal of signals) {
      const fail = () => reject(signal.reason as Error);
      if (signal.aborted) fail();
      else signal.addEventListener("abort", fail, { signal: finished.signal });
    }
  });
  // Removes the listeners: a scanner's signal lives much longer than a page.
  return Promise.race([work, aborted]).finally(() => finished.abort());
}
