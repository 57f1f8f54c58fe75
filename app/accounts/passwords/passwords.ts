/** Queue lanes, each with its own capacity, served in turn: a full lane does not block the others. */
export type Lane = "known" | "sign-in" | "register" | "reset";

/** Decides the queue position of a password. */
export interface QueueEntry {
  lane: Lane;
  /** Wider network (lane `known`: account): its requests share one turn of the lane … */
  network: string;
  /** … and take turns by client network or browser. */
  clientNetwork: string;
  /** The wider network of the client address. */
  origin: string;
}

/** Hashes passwords for storage, and compares them. */
export interface Passwords {
  /** @throws {TooBusy} */
  hash(password: string): Promise<string>;
  /**
   * Dummy hash: takes the same time without a stored hash.
   * @throws {TooBusy}
   */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** The same, queued under a given entry. */
  queuedAs(entry: QueueEntry): Passwords;
}
