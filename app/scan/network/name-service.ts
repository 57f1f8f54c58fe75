import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { within } from "~/platform/async/deadline";
import type { AddressPolicy } from "./address-policy";
import { createBurst, type Burst } from "~/scan/burst";
import { setNewest } from "~/scan/limited-map";

/** Returns all addresses of a host name; rejects when there is none. */
export type Lookup = (hostname: string) => Promise<string[]>;

/** DNS answers shared by a scanner's visits. */
export interface NameService {
  /** Begins a visit. */
  open(): VisitNames;
}

/** One visit's look-ups. */
interface VisitNames {
  /** Answers are kept for the whole visit; only failures are retried. */
  addressesOf: Lookup;
  /** Cancels this visit's open queries. */
  close(): void;
}

export interface NameServiceOptions {
  policy: AddressPolicy;
  /** Replaces the system's name services. */
  lookup?: Lookup;
  /** Time limit in ms, after which a name counts as not found. */
  timeoutMs?: number;
}

interface Answer {
  addresses: string[];
  /** Time for which other visits may use the answer too, in ms. */
  holdsMs: number;
}

interface Known {
  addresses?: string[];
  error?: Error;
  /** Expiry, by `performance.now()`. */
  until: number;
}

/** Time for which a missing name is remembered: other pages of a site often have the same dead names. */
const NO_SUCH_NAME_MS = 60_000;
/** Upper limit, whatever the TTL of the answer; browsers keep answers for a shorter time. */
const LONGEST_MS = 60_000;
const MOST_KNOWN = 10_000;

/** Small name servers, as in home routers and containers, drop queries of larger bursts. */
const BURST = 20;
/** A query without an answer for this long no longer counts for the burst. */
const BURST_MS = 250;

/**
 * Public names are resolved by direct DNS queries: the system's look-up uses one of a few threads of the whole process
 * and cannot be cancelled, so one page full of slow names would stop every other visit. Possibly local names go through
 * the system, which also knows the hosts file and multicast DNS.
 *
 * Missing names, and answers with a TTL, are remembered for other visits. The connecting code judges every answer anew,
 * remembered ones too.
 */
export function createNameService({ policy, lookup, timeoutMs = 10_000 }: NameServiceOptions): NameService {
  const known = new Map<string, Known>();
  const burst = createBurst(BURST, BURST_MS);

  function recall(host: string): Known | undefined {
    const entry = known.get(host);
    if (entry && entry.until > performance.now()) return entry;
    known.delete(host);
    return undefined;
  }

  function remember(host: string, entry: Omit<Known, "until">, holdsMs: number): void {
    if (holdsMs <= 0) return;
    setNewest(known, host, { ...entry, until: performance.now() + Math.min(holdsMs, LONGEST_MS) }, MOST_KNOWN);
  }

  async function ask(host: string, resolver: Resolver, signal: AbortSignal): Promise<string[]> {
    const recalled = recall(host);
    if (recalled?.addresses) return recalled.addresses;
    if (recalled?.error) throw recalled.error;
    try {
      const { addresses, holdsMs } = await resolve(host, resolver, signal);
      remember(host, { addresses }, holdsMs);
      return addresses;
    } catch (error) {
      if (isNoSuchName(error)) remember(host, { error }, NO_SUCH_NAME_MS);
      throw error;
    }
  }

  /** The system's answers have no TTL. */
  async function resolve(host: string, resolver: Resolver, signal: AbortSignal): Promise<Answer> {
    if (lookup) return { addresses: await lookup(host), holdsMs: 0 };
    if (!policy.mayBeLocal(host)) return resolvePublic(host, resolver, burst, signal);
    const addresses = await systemLookup(host, { all: true });
    return { addresses: addresses.map(({ address }) => address), holdsMs: 0 };
  }

  return {
    open() {
      // The second try waits twice as long as the first, the third twice as long again.
      const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 8), tries: 3 });
      const closed = new AbortController();
      const answers = new Map<string, Promise<string[]>>();
      return {
        addressesOf(host) {
          const earlier = answers.get(host);
          if (earlier) return earlier;
          const answer = within(timeoutMs, ask(host, resolver, closed.signal), noAnswer);
          answers.set(host, answer);
          answer.catch(() => answers.delete(host));
          return answer;
        },
        close() {
          closed.abort(new Error("the visit is over"));
          resolver.cancel();
        },
      };
    },
  };
}

async function resolvePublic(
  host: string,
  resolver: Resolver,
  burst: Burst,
  signal: AbortSignal,
): Promise<Answer> {
  const [v4, v6] = await Promise.allSettled([
    burst.run(() => resolver.resolve4(host, { ttl: true }), signal),
    burst.run(() => resolver.resolve6(host, { ttl: true }), signal),
  ]);
  if (v4.status === "rejected" && v6.status === "rejected") {
    // A name server that did not answer one query may still know the name.
    throw isNoSuchName(v4.reason) ? v6.reason : v4.reason;
  }
  const records = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  // Partial answers are not remembered.
  const whole = [v4, v6].every((answer) => answer.status === "fulfilled" || isNoSuchName(answer.reason));
  return {
    addresses: records.map(({ address }) => address),
    holdsMs: whole ? Math.min(...records.map(({ ttl }) => ttl)) * 1_000 : 0,
  };
}

const isNoSuchName = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");

const noAnswer = () => Object.assign(new Error("no answer"), { code: "ETIMEOUT" });
