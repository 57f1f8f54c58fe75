import { emailKey } from "~/platform/forms/email-address";
import type { PasswordAttempt } from "~/accounts/password-attempt";
import { widerNetwork, clientNetwork } from "~/platform/limits/client-network.server";
import { TooBusy } from "~/accounts/sign-in-errors";
import type { Lane, QueueEntry } from "./passwords";

export const queueEntryOfOperator: QueueEntry = { lane: "known", network: "operator", clientNetwork: "operator", origin: "operator" };

/** Queue entry: known browsers share the turn of their account, unknown ones the turn of their network. */
export function queueEntryOf({ email, address, browser }: PasswordAttempt, lane: Lane = "sign-in"): QueueEntry {
  const origin = widerNetwork(address);
  if (browser !== null) return { lane: "known", network: emailKey(email), clientNetwork: browser, origin };
  return { lane, network: origin, clientNetwork: clientNetwork(address), origin };
}

const ORDER: Lane[] = ["known", "sign-in", "known", "register", "known", "reset"];
/** Maximum waiting tasks of a lane: users would not wait longer. */
const MOST_WAITING = 60;
/** Maximum of one client network, which may be a whole office. */
const MOST_OF_CLIENT_NETWORK = 6;
/** Maximum of known browsers in one network: an attacker may have many accounts of their own. */
const MOST_KNOWN_OF_NETWORK = 30;

interface Waiting {
  entry: QueueEntry;
  begin: () => void;
  refuse: (reason: TooBusy) => void;
}

/**
 * Runs one task at a time. Within a lane, the network with the oldest turn comes first. In a full lane, the last task of
 * the network with most tasks is refused in favour of a network with fewer tasks.
 */
export function createPasswordQueue({ mostWaiting = MOST_WAITING } = {}) {
  let isBusy = false;
  let position = 0;
  let clock = 0;
  let waiting: Waiting[] = [];
  /** Last turn of each network and client network with a waiting task. */
  let served = new Map<string, number>();

  /** @throws {TooBusy} */
  return async function runInTurn<Result>(entry: QueueEntry, task: () => Promise<Result>): Promise<Result> {
    if (isBusy) await waitForTurn(entry);
    isBusy = true;
    try {
      return await task();
    } finally {
      isBusy = false;
      next();
    }
  };

  function waitForTurn(entry: QueueEntry): Promise<void> {
    const inLane = waiting.filter((other) => other.entry.lane === entry.lane);
    if (inLane.filter((other) => other.entry.clientNetwork === entry.clientNetwork).length >= MOST_OF_CLIENT_NETWORK) {
      return Promise.reject(new TooBusy("too many passwords to be checked for one client network"));
    }
    if (entry.lane === "known" && inLane.filter((other) => other.entry.origin === entry.origin).length >= MOST_KNOWN_OF_NETWORK) {
      return Promise.reject(new TooBusy("too many passwords to be checked for one network"));
    }
    if (inLane.length >= mostWaiting && !makeRoom(inLane, entry)) {
      return Promise.reject(new TooBusy("too many passwords to be checked"));
    }
    return new Promise((begin, refuse) => waiting.push({ entry, begin, refuse }));
  }

  function makeRoom(inLane: Waiting[], entry: QueueEntry): boolean {
    const neighbours = inLane.filter((other) => other.entry.network === entry.network);
    const last = lastOfLargest(inLane, entry, "network") ?? lastOfLargest(neighbours, entry, "clientNetwork");
    if (!last) return false;
    waiting = waiting.filter((one) => one !== last);
    last.refuse(new TooBusy("others had fewer passwords to be checked"));
    return true;
  }

  /** Last task of the largest group; undefined if the new task's own group would become as large. */
  function lastOfLargest(among: Waiting[], entry: QueueEntry, kind: "network" | "clientNetwork"): Waiting | undefined {
    const sizes = new Map<string, number>();
    for (const other of among) sizes.set(other.entry[kind], (sizes.get(other.entry[kind]) ?? 0) + 1);
    const [largest = "", size = 0] = [...sizes].sort(([, one], [, other]) => other - one)[0] ?? [];
    if (size <= (sizes.get(entry[kind]) ?? 0) + 1) return undefined;
    return among.findLast((other) => other.entry[kind] === largest);
  }

  function next(): void {
    const chosen = firstOf(nextLane());
    if (!chosen) return;
    // Before the start of the task, so that no other task starts at the same time.
    isBusy = true;
    waiting = waiting.filter((one) => one !== chosen);
    clock += 1;
    served.set(networkKey(chosen.entry), clock);
    served.set(clientNetworkKey(chosen.entry), clock);
    const present = new Set(waiting.flatMap(({ entry }) => [networkKey(entry), clientNetworkKey(entry)]));
    served = new Map([...served].filter(([key]) => present.has(key)));
    chosen.begin();
  }

  function nextLane(): Lane | undefined {
    for (let step = 1; step <= ORDER.length; step += 1) {
      const lane = ORDER[(position + step) % ORDER.length];
      if (!waiting.some(({ entry }) => entry.lane === lane)) continue;
      position = (position + step) % ORDER.length;
      return lane;
    }
    return undefined;
  }

  function firstOf(lane: Lane | undefined): Waiting | undefined {
    const inLane = waiting.filter(({ entry }) => entry.lane === lane);
    const since = (key: string) => served.get(key) ?? 0;
    // Stable sort: first in, first out for equal turns.
    return inLane.sort(
      ({ entry: one }, { entry: other }) =>
        since(networkKey(one)) - since(networkKey(other)) || since(clientNetworkKey(one)) - since(clientNetworkKey(other)),
    )[0];
  }
}

const networkKey = ({ lane, network }: QueueEntry) => `${lane} network ${network}`;
const clientNetworkKey = ({ lane, clientNetwork }: QueueEntry) => `${lane} client network ${clientNetwork}`;
