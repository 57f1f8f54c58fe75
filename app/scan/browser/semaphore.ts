/** A request for a slot. */
export interface PermitRequest {
  /** Parties share slots fairly, by weight; undefined for the common party of all unnamed requests. */
  party?: { name: string; weight: number };
  /** Parties share slots fairly, by weight; undefined for the common party of all unnamed requests. */
  background?: boolean;
  /** No other request may run meanwhile. */
  alone?: boolean;
}

export interface Semaphore {
  /**
   * Waits for a free slot and returns the function that releases it. Rejects with the signal's reason when it is aborted
   * while waiting.
   */
  take(signal: AbortSignal, request?: PermitRequest): Promise<() => void>;
}

/** Interval of checks for room for another request. */
const LOOK_EVERY_MS = 250;
/** A party that holds a slot this long, or held its last one this long, is slow. */
const SLOW_MS = 5_000;
/** No slot is reserved if no other party has made a request for this long. */
const RECENT_MS = 300_000;
/** Limit of remembered parties that neither hold nor want a slot. */
const MOST_IDLE = 1_000;

interface Party {
  weight: number;
  foreground: Set<Waiting>;
  background: Set<Waiting>;
  /** Time when each of its slots was taken. */
  held: Set<number>;
  /** Position among the parties: the smallest gets the next slot (fair queueing by finish tags). */
  turn: number;
  lastHeldMs: number;
  wantedAt: number;
}

interface Waiting {
  alone: boolean;
  enter(): void;
}

export interface SemaphoreOptions {
  /** Asked before a request starts beside running ones; a single request may always run. */
  roomForMore?: () => boolean;
  now?: () => number;
}

/**
 * Semaphore with `count` slots, shared fairly between parties. All slow parties together leave one slot to the others, if
 * there are any.
 */
export function createSemaphore(count: number, { roomForMore = () => true, now = () => performance.now() }: SemaphoreOptions = {}): Semaphore {
  const parties = new Map<string, Party>();
  let taken = 0;
  let holdsAlone = false;
  /** Turn of the last party that got a slot. */
  let reached = 0;
  let looking: NodeJS.Timeout | undefined;

  function admit(): void {
    clearTimeout(looking);
    for (;;) {
      const wanting = [...parties.values()].filter(({ foreground, background }) => foreground.size + background.size > 0);
      if (wanting.length === 0 || taken >= count || holdsAlone) return;
      const next = nextOf(wanting);
      if (!next || (taken > 0 && !roomForMore())) {
        // Both can change with time alone: a holder becomes slow, or memory becomes free.
        looking = setTimeout(admit, LOOK_EVERY_MS);
        return;
      }
      const [waiting] = next.foreground.size > 0 ? next.foreground : next.background;
      // The next request waits until all others have finished.
      if (!waiting || (waiting.alone && taken > 0)) return;
      reached = Math.max(reached, next.turn);
      next.turn = reached + 1 / next.weight;
      waiting.enter();
    }
  }

  function nextOf(wanting: Party[]): Party | undefined {
    const all = [...parties.values()];
    const isShared = count > 1 && all.filter(({ wantedAt }) => now() - wantedAt < RECENT_MS).length > 1;
    const slow = all.filter(isSlow).reduce((sum, { held }) => sum + held.size, 0);
    const fit = isShared && slow >= count - 1 ? wanting.filter((party) => !isSlow(party)) : wanting;
    return fit.reduce<Party | undefined>((best, each) => (best && best.turn <= each.turn ? best : each), undefined);
  }

  function isSlow({ held, lastHeldMs }: Party): boolean {
    const [oldest = Infinity] = held;
    return lastHeldMs > SLOW_MS || now() - oldest > SLOW_MS;
  }

  function partyOf({ name, weight }: { name: string; weight: number }): Party {
    const party = parties.get(name) ?? newParty(weight);
    // A returning party starts after the current turn, by its weight.
    if (party.foreground.size + party.background.size === 0) party.turn = Math.max(party.turn, reached + 1 / weight);
    party.wantedAt = now();
    parties.delete(name);
    parties.set(name, party);
    forgetOldest();
    return party;
  }

  function forgetOldest(): void {
    if (parties.size <= MOST_IDLE) return;
    for (const [name, { foreground, background, held }] of parties) {
      if (foreground.size + background.size + held.size > 0) continue;
      parties.delete(name);
      return;
    }
  }

  function hold(party: Party, alone: boolean): () => void {
    const since = uniqueIn(party.held, now());
    taken += 1;
    holdsAlone = alone;
    party.held.add(since);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      taken -= 1;
      if (alone) holdsAlone = false;
      party.held.delete(since);
      party.lastHeldMs = now() - since;
      admit();
    };
  }

  return {
    async take(signal, { party: { name, weight } = UNNAMED_PARTY, background = false, alone = false } = {}) {
      signal.throwIfAborted();
      const party = partyOf({ name, weight });
      const queue = background ? party.background : party.foreground;
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          alone,
          enter() {
            queue.delete(waiting);
            signal.removeEventListener("abort", leave);
            resolve(hold(party, alone));
          },
        };
        const leave = () => {
          queue.delete(waiting);
          reject(signal.reason as Error);
          admit();
        };
        signal.addEventListener("abort", leave, { once: true });
        queue.add(waiting);
        admit();
      });
    },
  };
}

function newParty(weight: number): Party {
  return { weight, turn: 0, foreground: new Set(), background: new Set(), held: new Set(), lastHeldMs: 0, wantedAt: 0 };
}

const UNNAMED_PARTY = { name: "", weight: 1 };

/** Two slots may be taken in the same millisecond. */
function uniqueIn(taken: Set<number>, at: number): number {
  return taken.has(at) ? uniqueIn(taken, at + 0.001) : at;
}
