/** Attempt to authenticate by password. */
export interface PasswordAttempt {
  email: string;
  /** IP address of the client. */
  address: string;
  /**
   * Id of a browser that has signed in to this account before, or of its session. It has its own limits, so that attempts of
   * strangers do not lock the owner out.
   */
  browser: string | null;
}
