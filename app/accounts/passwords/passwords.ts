/** Queue lanes, each with its own capacity, served in turn: a full lane does not block the others. */
export type Lane = "known" | "sign-in" | "register" | "reset";

/** Queue position of a password check. */
export interface QueueEntry {
  lane: Lane;
  /** Wider network (lane `known`: account): its requests share one turn of the lane. */
  network: string;
  /** Client network or browser: within `network`, requests take turns by it. */
  clientNetwork: string;
  /** Wider network of the client address. */
  origin: string;
}

/** Hash and comparison of passwords. */
export interface Passwords {
  /** @throws {TooBusy} */
  hash(password: string): Promise<string>;
  /**
   * Compares a password with a stored hash. A dummy hash takes the same time without a stored one.
   * @throws {TooBusy}
   */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** The same operations, queued under a given entry. */
  queuedAs(entry: QueueEntry): Passwords;
}
