/** A user's profile at the provider. */
export interface HostedProfile {
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
}

export interface HostedTokens {
  accessToken: string;
  /** Null if the provider gives none. */
  refreshToken: string | null;
  idToken: string;
  /** Expiry of the access token, Unix time in ms. */
  expiresAt: number;
  /** Last re-authentication requested by us (`fresh`), Unix time in ms; null for never. */
  provedAt: number | null;
}

export interface SignInOptions {
  /** Path on our own origin. */
  returnTo: string;
  /** Shows the form for a new account. */
  signUp?: boolean;
  /** No prompt: without a session at the provider, the user comes back with a refusal. */
  silent?: boolean;
  /** Requires re-authentication, also with a session at the provider. */
  fresh?: boolean;
}

/** Accounts at a hosted identity provider. */
export interface HostedIdentity {
  /** Name of the provider, for display. */
  name: string;
  /** Redirects to the provider, or to `/login` with an explanation if the provider cannot be reached. */
  start(request: Request, options: SignInOptions): Promise<Response>;
  /**
   * Processes the provider's callback.
   * @throws {CallbackFailed} with a reason that `/login` explains
   * @throws {Response} after a refused silent attempt: redirects to the provider again, this time with its form
   */
  finish(request: Request): Promise<{ profile: HostedProfile; tokens: HostedTokens; returnTo: string }>;
  /**
   * Renews tokens, and reads the user's current profile.
   * @returns null if the provider no longer accepts the refresh token, or there is none
   * @throws {IdentityUnavailable}
   */
  refresh(tokens: HostedTokens): Promise<{ profile: HostedProfile; tokens: HostedTokens } | null>;
  /**
   * Address that ends the session at the provider and redirects back to our origin.
   * @param idToken token of the session that ends
   * @returns null if the provider has no such page, or cannot be reached
   */
  logoutUrl(idToken: string | null): Promise<string | null>;
  /** Origins of the provider's pages, as far as known: our forms may redirect to them. */
  pageOrigins(): string[];
  /** Null if users can change their profile only at the provider. */
  management: HostedManagement | null;
}

/** Changes to a user's profile at the provider. */
interface HostedManagement {
  /** @returns false if the provider does not allow the change. @throws {IdentityUnavailable} */
  rename(subject: string, name: string): Promise<boolean>;
  /**
   * Changes the address; the provider asks for its confirmation.
   * @returns false if the provider does not allow the change
   * @throws {IdentityUnavailable}
   */
  changeEmail(subject: string, email: string): Promise<boolean>;
  /** @throws {IdentityUnavailable} */
  sendVerification(subject: string): Promise<void>;
}
