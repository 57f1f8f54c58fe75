/** The time given for something is over. */
export class OutOfTime extends Error {
  override name = "OutOfTime";
}

export interface Deadline {
  /** Milliseconds left, never below 0. */
  remaining(): number;
  /** Never resolves; rejects with `OutOfTime` when the time is over. */
  readonly over: Promise<never>;
  /** Ends the clock, so that nothing is left behind. */
  clear(): void;
}

export function startDeadline(ms: number): Deadline {
  const end = performance.now() + ms;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new OutOfTime(`not done within ${ms} ms`)), ms);
  });
  // Nobody may be waiting for it at the moment it is over.
  over.catch(() => {});
  return {
    over,
    remaining: () => Math.max(0, end - performance.now()),
    clear: () => clearTimeout(timer),
  };
}

/** Waits at most `ms`; rejects with `OutOfTime` then. Whoever calls it ends the work that it no longer waits for. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const deadline = startDeadline(ms);
  return Promise.race([work, deadline.over]).finally(deadline.clear);
}
