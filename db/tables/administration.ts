import type { Generated } from "kysely";
import type { Locale } from "~/platform/i18n/i18n";
import type { JsonText } from "./json-text";

export interface AdministrationTables {
  audit_entry: AuditEntryTable;
  first_administrator_link: FirstAdministratorLinkTable;
  invitation: InvitationTable;
}

/** What an administrator did. */
export interface AuditEntryTable {
  id: string;
  at: number;
  /** `AUDIT_ACTIONS` in `app/administration/audit-log.server.ts`. */
  action: string;
  /** The user who did it; null for a command on the server. */
  actor_id: string | null;
  /** Their address at that time. */
  actor: string;
  /** The account that it was done to; null if it concerns none. */
  subject_id: string | null;
  /** Its address at that time. */
  subject: string | null;
  details: JsonText;
}

/** The link that makes the first administrator: at most one row. */
interface FirstAdministratorLinkTable {
  /** SHA-256 of the token in the link. */
  token_hash: string;
  created_at: number;
}

/** An invitation to create an account; one for each address. */
export interface InvitationTable {
  id: string;
  /** SHA-256 of the token in the link. */
  token_hash: string;
  email: string;
  /** `email` in the form in which addresses are compared. */
  email_key: string;
  /** Of the mail. */
  locale: Locale;
  /** Address of the administrator, or the command line. */
  invited_by: string;
  sent_at: number;
  expires_at: number;
  /** When an account was created with it, and that account. */
  used_at: Generated<number | null>;
  user_id: Generated<string | null>;
}
