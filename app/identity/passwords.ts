/** Turns passwords into what may be stored of them. */
export interface Passwords {
  /** @throws {TooBusy} */
  hash(password: string): Promise<string>;
  /**
   * Takes the same time whether there is a hash or not.
   * @throws {TooBusy}
   */
  matches(password: string, stored: string | null): Promise<boolean>;
}
