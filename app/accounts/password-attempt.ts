/** An attempt to authenticate by password. */
export interface PasswordAttempt {
  email: string;
  /** The IP address it comes from. */
  address: string;
  /**
   * Id of a browser that has signed in to this account before, or of its session. It has limits of its own, so that the attempts
   * of strangers do not lock the owner out.
   */
  browser: string | null;
}
