/** Each lane has places of its own, and they take turns: a crowd in one does not reach the others. */
export type Lane = "known" | "sign-in" | "register" | "reset";

/** Whose turn it is to have a password hashed. */
export interface Turn {
  lane: Lane;
  /** Those who share a wide network share one turn of their lane … */
  network: string;
  /** … and then take turns among themselves. */
  subscriber: string;
  /** The network that they come from. */
  origin: string;
}

/** Turns passwords into what may be stored of them. */
export interface Passwords {
  /** @throws {TooBusy} */
  hash(password: string): Promise<string>;
  /**
   * Takes the same time whether there is a hash or not.
   * @throws {TooBusy}
   */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** The same, in somebody's turn. */
  inTurn(turn: Turn): Passwords;
}
