/** Who wants a slot. */
export interface PermitRequest {
  /** Parties have slots in turns, by their weights; undefined for the one of all who name none. */
  party?: { name: string; weight: number };
  /** Among its own party's, it gives way to those that are not. */
  background?: boolean;
  /** Nothing else may be under way meanwhile. */
  alone?: boolean;
}

export interface Semaphore {
  /**
   * Waits for a free slot and gives back what frees it again. Rejects with the signal's reason when it is aborted while
   * waiting.
   */
  take(signal: AbortSignal, wish?: PermitRequest): Promise<() => void>;
}

/** How often is looked again whether there is room for another. */
const LOOK_EVERY_MS = 250;
/** Who holds a slot for so long, or did so with the last one, is slow. */
const SLOW_MS = 5_000;
/** Nothing is kept free for others where none has come for so long. */
const RECENT_MS = 300_000;
/** Parties that are remembered without holding or wanting a slot. */
const MOST_IDLE = 1_000;

interface Party {
  weight: number;
  front: Set<Waiting>;
  background: Set<Waiting>;
  /** When each of its slots was taken. */
  held: Set<number>;
  /** Its place among the parties: the smallest has the next slot (fair queueing by finish tags). */
  turn: number;
  lastHeldMs: number;
  wantedAt: number;
}

interface Waiting {
  alone: boolean;
  enter(): void;
}

export interface SemaphoreOptions {
  /** Asked before something begins beside what is under way already; one may always be. */
  roomForMore?: () => boolean;
  now?: () => number;
}

/**
 * Lets at most `count` things happen at once, in turns by party. All who are slow together leave one slot to the others,
 * if there are any.
 */
export function createSemaphore(count: number, { roomForMore = () => true, now = Date.now }: SemaphoreOptions = {}): Semaphore {
  const parties = new Map<string, Party>();
  let taken = 0;
  let holdsAlone = false;
  /** The turn of the party that has had a slot last. */
  let reached = 0;
  let looking: NodeJS.Timeout | undefined;

  function admit(): void {
    clearTimeout(looking);
    for (;;) {
      const wanting = [...parties.values()].filter(({ front, background }) => front.size + background.size > 0);
      if (wanting.length === 0 || taken >= count || holdsAlone) return;
      const next = nextOf(wanting);
      if (!next || (taken > 0 && !roomForMore())) {
        // Time alone can change both: who holds a slot becomes slow, and memory free.
        looking = setTimeout(admit, LOOK_EVERY_MS);
        return;
      }
      const [waiting] = next.front.size > 0 ? next.front : next.background;
      // It has its turn, for which the others' ends are waited.
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
    // Who wants something again begins after what has been reached, by its weight.
    if (party.front.size + party.background.size === 0) party.turn = Math.max(party.turn, reached + 1 / weight);
    party.wantedAt = now();
    parties.delete(name);
    parties.set(name, party);
    forgetOldest();
    return party;
  }

  function forgetOldest(): void {
    if (parties.size <= MOST_IDLE) return;
    for (const [name, { front, background, held }] of parties) {
      if (front.size + background.size + held.size > 0) continue;
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
    async take(signal, { party: { name, weight } = NOBODY, background = false, alone = false } = {}) {
      signal.throwIfAborted();
      const party = partyOf({ name, weight });
      const line = background ? party.background : party.front;
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          alone,
          enter() {
            line.delete(waiting);
            signal.removeEventListener("abort", leave);
            resolve(hold(party, alone));
          },
        };
        const leave = () => {
          line.delete(waiting);
          reject(signal.reason as Error);
          admit();
        };
        signal.addEventListener("abort", leave, { once: true });
        line.add(waiting);
        admit();
      });
    },
  };
}

function newParty(weight: number): Party {
  return { weight, turn: 0, front: new Set(), background: new Set(), held: new Set(), lastHeldMs: 0, wantedAt: 0 };
}

const NOBODY = { name: "", weight: 1 };

/** Two slots may be taken in one millisecond. */
function uniqueIn(taken: Set<number>, at: number): number {
  return taken.has(at) ? uniqueIn(taken, at + 0.001) : at;
}
