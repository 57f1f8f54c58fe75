import type { Generated } from "kysely";
import type { Locale } from "~/platform/i18n/i18n";

export interface MailTables {
  mail: MailTable;
  message: MessageTable;
}

/** Mail that waits to be sent; deleted after that. */
interface MailTable {
  id: string;
  /** Recipient, subject and text, encrypted: they may contain links that give access to an account. */
  sealed: string;
  attempts: Generated<number>;
  /** Earliest time to send; during an attempt, the time of the next one. */
  run_at: number;
  created_at: number;
  given_up_at: number | null;
  error: string | null;
}

/** A message to the operator. */
interface MessageTable {
  id: string;
  email: string;
  subject: string;
  text: string;
  locale: Locale;
  created_at: number;
  /** Time when it was handed to the outbox; null without a recipient. */
  posted_at: number | null;
}
