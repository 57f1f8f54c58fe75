/** A message as plain text, in one language. */
export interface Letter {
  subject: string;
  text: string;
}

export interface Mail extends Letter {
  /** One address. */
  to: string;
  /** Where an answer goes, if not to the sender. */
  replyTo?: string;
  /** Ends mails of this kind, by a form or at one stroke (RFC 8058); for those that come again and again. */
  unsubscribe?: string;
}

/** A mail that waits to be sent. */
export interface StoredMail extends Mail {
  /** The same for every attempt, so that who gets it twice can tell. */
  id: string;
  /** Unix time in ms. */
  createdAt: number;
  /** Attempts so far, this one included. */
  attempts: number;
}

/** Keeps mails until they are sent, also when the process dies. */
export interface MailStore {
  /** The next mail that is due, which counts as being sent for a while. */
  take(): Promise<StoredMail | null>;
  /** When the next one is due (Unix time in ms); null when none waits. */
  nextAt(): Promise<number | null>;
  sent(id: string): Promise<void>;
  /** @param retryAt Unix time in ms; null when there is no hope */
  failed(id: string, error: string, retryAt: number | null): Promise<void>;
}

/** Brings a mail on its way. */
export interface Mailer {
  /** @throws what went wrong; `permanent` is true on it when another attempt would fail as well */
  deliver(mail: StoredMail): Promise<void>;
  /** Deletes what it has kept for long enough, if it keeps anything. */
  deleteExpired?(): Promise<void>;
  close(): void;
}

/** What mails are about; each has a text in every language. */
export type LetterKind =
  | "verify"
  | "already_registered"
  | "reset_password"
  | "no_account"
  | "password_changed"
  | "password_reset"
  | "token_made"
  | "signed_in"
  | "confirmed_elsewhere"
  | "password_reset_unconfirmed"
  | "change_email"
  | "email_change_requested"
  | "email_change_hosted"
  | "email_changed"
  | "account_deleted"
  | "schedule_worse"
  | "schedule_failed"
  | "schedule_paused"
  | "payment_link"
  | "payment_link_once"
  | "invoice"
  | "time_ends"
  | "given_back"
  | "disk_low"
  | "disk_failed";
