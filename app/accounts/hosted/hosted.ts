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
  /** Of the access token, Unix time in ms. */
  expiresAt: number;
  /** Last re-authentication at our request (`fresh`), Unix time in ms; null for never. */
  provedAt: number | null;
}

export interface SignInOptions {
  /** A path on our own origin. */
  returnTo: string;
  /** Shows the form for a new account. */
  signUp?: boolean;
  /** No prompt: a user without a session at the provider comes back with a refusal. */
  silent?: boolean;
  /** Requires re-authentication, also with a session at the provider. */
  fresh?: boolean;
}

/** Accounts that live at a hosted identity provider. */
export interface HostedIdentity {
  /** Of the provider, for people. */
  name: string;
  /** Redirects to the provider, or to `/login`, which says that the provider cannot be reached. */
  start(request: Request, options: SignInOptions): Promise<Response>;
  /**
   * Processes the provider's callback.
   * @throws {CallbackFailed} explained by `/login`
   * @throws {Response} when a silent attempt was refused: leads to the provider again, this time with its form
   */
  finish(request: Request): Promise<{ profile: HostedProfile; tokens: HostedTokens; returnTo: string }>;
  /**
   * Renews tokens, and reads the user's current profile.
   * @returns null when the provider does not know the refresh token any more, or there is none
   * @throws {IdentityUnavailable}
   */
  refresh(tokens: HostedTokens): Promise<{ profile: HostedProfile; tokens: HostedTokens } | null>;
  /**
   * Where the session at the provider ends; leads back to our origin.
   * @param idToken of the session that ends
   * @returns null if the provider has no such page, or cannot be reached
   */
  logoutUrl(idToken: string | null): Promise<string | null>;
  /** Origins of the provider's pages, as far as they are known: our forms may lead to them. */
  pageOrigins(): string[];
  /** Null if users can change their profile only at the provider. */
  management: HostedManagement | null;
}

/** Changes to a user's profile at the provider. */
interface HostedManagement {
  /** @returns false when the provider does not let us change it. @throws {IdentityUnavailable} */
  rename(subject: string, name: string): Promise<boolean>;
  /**
   * The provider asks for the confirmation of the new address.
   * @returns false when it does not let us change it
   * @throws {IdentityUnavailable}
   */
  changeEmail(subject: string, email: string): Promise<boolean>;
  /** @throws {IdentityUnavailable} */
  sendVerification(subject: string): Promise<void>;
}
