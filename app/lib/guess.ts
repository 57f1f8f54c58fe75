/** Somebody who is about to prove who they are by a password. */
export interface Guess {
  email: string;
  /** The IP address it comes from. */
  address: string;
  /**
   * Names a browser in which that account has signed in before, or its session. It is counted by itself alone: whatever others
   * try keeps nobody out of the browser that they always use.
   */
  browser: string | null;
}
