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
  /** `email` in the form for comparison. */
  email_key: string;
  email_verified: Generated<0 | 1>;
  name: string;
  /** Scrypt's parameters, salt and hash; null if the provider has the password. */
  password: string | null;
  locale: Locale;
  created_at: number;
  /** First sign-in; null if never. */
  signed_in_at: Generated<number | null>;
  /** Number of free trial scans used, including deleted runs. */
  trial_scans: Generated<number>;
  /** 1 if the user wants mails about finished scans, unless a scan says otherwise. */
  mails_when_done: Generated<0 | 1>;
  /** 1 if the user may administer this installation. */
  administrator: Generated<0 | 1>;
  /** Time since which all sign-ins are refused and repeated scans do not run; null for an active account. */
  disabled_at: Generated<number | null>;
  /** Limits of this account; null for those of the installation. */
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

/** Browser in which a user has signed in. */
interface KnownBrowserTable {
  /** SHA-256 of its cookie value. */
  id_hash: string;
  user_id: string;
  seen_at: number;
}

/** Mailed link, which proves ownership of the address. */
interface AccountLinkTable {
  /** SHA-256 of the token in the link. */
  token_hash: string;
  user_id: string;
  purpose: "verify" | "change_email" | "reset_password";
  /** Address of the recipient. */
  email: string;
  expires_at: number;
}

/** Authenticator app: the second factor of a local account. */
interface CodeAppTable {
  user_id: string;
  /** Secret in base32, encrypted. */
  secret: string;
  created_at: number;
  /** Time when a code has shown that the app works; null before, while the app has no effect on sign-in. */
  confirmed_at: number | null;
  /** Time step of the last accepted code: no code is accepted twice. */
  last_step: number;
}

/** Code for signing in without the app. */
interface RecoveryCodeTable {
  user_id: string;
  /** SHA-256 of the code. */
  code_hash: string;
  used_at: number | null;
}

/** Sign-in with a correct password that waits for the second factor; gives no rights. */
interface PendingSignInTable {
  /** SHA-256 of its cookie value. */
  id_hash: string;
  user_id: string;
  /** 1 if the user has just got a mail about the same event. */
  is_told: 0 | 1;
  expires_at: number;
}

/** Public half of a passkey. */
interface PasskeyTable {
  /** Credential id, base64url. */
  id: string;
  user_id: string;
  /** Name chosen by the user. */
  name: string;
  /** Public key in COSE format, base64url. */
  public_key: string;
  /** Counter of uses, reported by the passkey; 0 for passkeys that do not count. */
  counter: number;
  /** Ways in which a browser can reach the passkey. */
  transports: JsonText;
  created_at: number;
  last_used_at: Generated<number | null>;
}

/** Challenge that no passkey has answered yet. */
interface PasskeyChallengeTable {
  /** SHA-256 of the challenge. */
  challenge_hash: string;
  user_id: string;
  purpose: "add" | "use";
  expires_at: number;
}
