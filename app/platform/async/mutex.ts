/** Mutex per key: runs tasks one at a time, in the order of the calls. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();

  return function take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const forget = () => {
      if (last.get(key) === turn) last.delete(key);
    };
    last.set(key, turn);
    turn.then(forget, forget);
    return turn;
  };
}

/**
 * Runs one task at a time for each key. Calls during a running task wait for the next task, which all waiting calls
 * share: it starts after those calls, so it sees everything that happened before them.
 */
export function createCoalescingRunner() {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<void>>();

  return function take(key: string, work: () => Promise<void>): Promise<void> {
    // Waiting task first: between two tasks, none is running.
    const next = waiting.get(key);
    if (next) return next;
    const present = running.get(key);
    if (!present) return begin(key, work);
    const following = present.catch(() => {}).then(() => begin(key, work));
    waiting.set(key, following);
    return following;
  };

  function begin(key: string, work: () => Promise<void>): Promise<void> {
    waiting.delete(key);
    const turn = work().finally(() => {
      if (running.get(key) === turn) running.delete(key);
    });
    running.set(key, turn);
    return turn;
  }
}
