import { Resolver, lookup as systemLookup } from "node:dns/promises";
import type { AddressPolicy } from "./address-policy";

/** Gives every address of a host name; rejects when there is none. */
export type Lookup = (hostname: string) => Promise<string[]>;

export interface NameService {
  /** Asks once for each name, as a browser would; only a failure is asked again. */
  addressesOf: Lookup;
  /** Ends what is under way. */
  close(): void;
}

export interface NameServiceOptions {
  policy: AddressPolicy;
  /** Replaces the system's name services. */
  lookup?: Lookup;
  /** After which a name counts as not found, in ms. */
  timeoutMs: number;
}

/**
 * The name service of one page visit.
 *
 * Public names are asked of the DNS directly: the system's own look-up holds one of a few threads that the whole process
 * shares, and cannot be cancelled, so that one page full of slow names would stop every other visit. Names that may be
 * local go through the system, which also knows the hosts file and multicast DNS.
 */
export function createNameService({ policy, lookup, timeoutMs }: NameServiceOptions): NameService {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  const answers = new Map<string, Promise<string[]>>();

  async function ask(host: string): Promise<string[]> {
    if (lookup) return lookup(host);
    if (policy.mayBeLocal(host)) {
      return (await systemLookup(host, { all: true })).map(({ address }) => address);
    }
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    return [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  }

  return {
    addressesOf(host) {
      const known = answers.get(host);
      if (known) return known;
      const answer = within(timeoutMs, ask(host));
      answers.set(host, answer);
      answer.catch(() => answers.delete(host));
      return answer;
    },
    close: () => resolver.cancel(),
  };
}

/** Rejects after `ms`, whatever becomes of the promise. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("no answer"), { code: "ETIMEOUT" })), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
