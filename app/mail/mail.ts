import type { Locale } from "~/platform/i18n/i18n";

/** Plain-text message in one language. */
export interface Letter {
  subject: string;
  text: string;
}

export interface Mail extends Letter {
  /** Recipient: one address. */
  to: string;
  /** Reply address, if it is not the sender. */
  replyTo?: string;
  /** Unsubscribe link for recurring mails, with a form or one click (RFC 8058). */
  unsubscribe?: string;
}

/** A mail in the outbox. */
export interface StoredMail extends Mail {
  /** Message id, the same for every attempt, so that recipients can recognise duplicates. */
  id: string;
  /** Unix time in ms. */
  createdAt: number;
  /** Number of attempts, including this one. */
  attempts: number;
}

/** Durable store: keeps mails until they are sent, even if the process crashes. */
export interface MailStore {
  /** Takes the next due mail, with a lease while it is sent. */
  take(): Promise<StoredMail | null>;
  /** Time when the next mail is due (Unix time in ms); null if none waits. */
  nextAt(): Promise<number | null>;
  sent(id: string): Promise<void>;
  /** @param retryAt Unix time in ms; null for no further attempt */
  failed(id: string, error: string, retryAt: number | null): Promise<void>;
}

/** Delivery of mails. */
export interface Mailer {
  /** @throws the error; its `permanent` is true if a retry would also fail */
  deliver(mail: StoredMail): Promise<void>;
  close(): void;
}

/** Kinds of mails; each has a text in every language. */
export type LetterKind =
  | "verify"
  | "invitation"
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
  | "second_factor_on"
  | "second_factor_off"
  | "second_factor_reset"
  | "passkey_added"
  | "passkey_removed"
  | "recovery_code_used"
  | "recovery_codes_renewed"
  | "account_deleted"
  | "account_deleted_by_operator"
  | "scan_done"
  | "scan_failed"
  | "scan_broken_off"
  | "schedule_worse"
  | "schedule_worse_broken_off"
  | "schedule_failed"
  | "schedule_broken_off"
  | "schedule_not_covered"
  | "schedule_level"
  | "schedule_locked_out"
  | "payment_link"
  | "payment_link_once"
  | "invoice"
  | "time_ends"
  | "granted_plan_ends"
  | "given_back"
  | "disk_low"
  | "disk_failed"
  | "mail_check";

/** Renders a mail as text. @param values values for placeholders, such as `link` */
export type WriteLetter = (kind: LetterKind, locale: Locale, values: Record<string, string>) => Letter;
