import type { Generated } from "kysely";
import type { Locale } from "~/platform/i18n/i18n";
import type { JsonText } from "./json-text";

export interface AccountTables {
  user: UserTable;
  session: SessionTable;
  known_browser: KnownBrowserTable;
  account_link: AccountLinkTable;
  code_app: CodeAppTable;
  recovery_code: RecoveryCodeTable;
  pending_sign_in: PendingSignInTable;
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
}

export interface UserTable {
  /** 128 random bits. */
  id: string;
  /** Id at the hosted identity provider (`sub`); null for an account of this installation. */
  subject: string | null;
  email: string;
  /** `email` in the form in which addresses are compared. */
  email_key: string;
  email_verified: Generated<0 | 1>;
  name: string;
  /** Scrypt's parameters, salt and hash; null if the provider keeps it. */
  password: string | null;
  locale: Locale;
  created_at: number;
  /** First sign-in; null if never. */
  signed_in_at: Generated<number | null>;
  /** Number of free trial scans used, including deleted runs. */
  trial_scans: Generated<number>;
  /** Wants mails about finished scans, unless they say otherwise. */
  mails_when_done: Generated<0 | 1>;
  /** May administer this installation. */
  administrator: Generated<0 | 1>;
  /** Since then it signs in nowhere, and its repeated scans do not run; null: it is in use. */
  disabled_at: Generated<number | null>;
  /** Limits of this account; null: those of the installation. */
  most_waiting: Generated<number | null>;
  most_pages: Generated<number | null>;
}

export interface SessionTable {
  /** SHA-256 of the cookie value: a leaked database does not give access to sessions. */
  id_hash: string;
  /** Null before sign-in, for a session that only keeps temporary data. */
  user_id: string | null;
  /** The provider's tokens, encrypted. */
  tokens: string | null;
  /** A message for the next page. */
  flash: JsonText | null;
  /** A form sent with an expired session, encrypted. */
  kept: string | null;
  /** Common names of browser and system. */
  browser: string | null;
  created_at: number;
  seen_at: number;
  expires_at: number;
}

/** A browser in which a user has signed in. */
interface KnownBrowserTable {
  /** SHA-256 of its cookie value. */
  id_hash: string;
  user_id: string;
  seen_at: number;
}

/** A link sent by mail; opening it proves ownership of the address. */
interface AccountLinkTable {
  /** SHA-256 of the token in the link. */
  token_hash: string;
  user_id: string;
  purpose: "verify" | "change_email" | "reset_password";
  /** The recipient. */
  email: string;
  expires_at: number;
}

/** An authenticator app: the second factor of a local account. */
interface CodeAppTable {
  user_id: string;
  /** Base32, encrypted. */
  secret: string;
  created_at: number;
  /** A code has shown that the app works; null before, without any effect on signing in. */
  confirmed_at: number | null;
  /** Time step of the last accepted code: no code is accepted twice. */
  last_step: number;
}

/** For signing in without the app. */
interface RecoveryCodeTable {
  user_id: string;
  /** SHA-256. */
  code_hash: string;
  used_at: number | null;
}

/** A sign-in with a correct password that waits for the second factor; gives no rights. */
interface PendingSignInTable {
  /** SHA-256 of its cookie value. */
  id_hash: string;
  user_id: string;
  /** The user has just got a mail about the same event. */
  is_told: 0 | 1;
  expires_at: number;
}

/** The public half of a passkey. */
interface PasskeyTable {
  /** The credential's id, base64url. */
  id: string;
  user_id: string;
  /** Chosen by the user. */
  name: string;
  /** COSE key, base64url. */
  public_key: string;
  /** Of its uses, as it says itself; 0 for passkeys that do not count. */
  counter: number;
  /** Ways in which a browser reaches it. */
  transports: JsonText;
  created_at: number;
  last_used_at: Generated<number | null>;
}

/** A challenge that a passkey has not answered yet. */
interface PasskeyChallengeTable {
  /** SHA-256. */
  challenge_hash: string;
  user_id: string;
  purpose: "add" | "use";
  expires_at: number;
}
