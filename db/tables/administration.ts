import type { Generated } from "kysely";
import type { Locale } from "~/platform/i18n/i18n";
import type { JsonText } from "./json-text";

export interface AdministrationTables {
  audit_entry: AuditEntryTable;
  first_administrator_link: FirstAdministratorLinkTable;
  invitation: InvitationTable;
}

/** Action of an administrator. */
export interface AuditEntryTable {
  id: string;
  at: number;
  /** One of `AUDIT_ACTIONS` in `app/administration/audit-log.server.ts`. */
  action: string;
  /** Id of the acting user; null for a command on the server. */
  actor_id: string | null;
  /** Address of the acting user at that time. */
  actor: string;
  /** Affected account; null for none. */
  subject_id: string | null;
  /** Address of the affected account at that time. */
  subject: string | null;
  details: JsonText;
}

/** Link that makes the first administrator: at most one row. */
interface FirstAdministratorLinkTable {
  /** SHA-256 of the token in the link. */
  token_hash: string;
  created_at: number;
}

/** Invitation to create an account; one for each address. */
export interface InvitationTable {
  id: string;
  /** SHA-256 of the token in the link. */
  token_hash: string;
  email: string;
  /** `email` in the form for comparison. */
  email_key: string;
  /** Language of the mail. */
  locale: Locale;
  /** Address of the inviting administrator, or the command line. */
  invited_by: string;
  sent_at: number;
  expires_at: number;
  /** Time when an account was created with it, and that account. */
  used_at: Generated<number | null>;
  user_id: Generated<string | null>;
}
