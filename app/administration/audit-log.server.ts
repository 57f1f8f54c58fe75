import type { Selectable } from "kysely";
import { containsText } from "db/contains-text";
import type { Db, Trx } from "db/schema";
import type { AuditEntryTable } from "db/tables/administration";
import type { User } from "~/accounts/user.server";
import { randomId } from "~/platform/crypto/tokens.server";
import { DAY_MS } from "~/platform/durations";

export const AUDIT_KEPT_DAYS = 180;
const KEPT_MS = AUDIT_KEPT_DAYS * DAY_MS;

/** Actions of administrators; each has a text (`admin:audit.action.…`). */
export const AUDIT_ACTIONS = [
  ...(["administrator_made", "administrator_removed", "invitation_sent", "invitation_taken_back"] as const),
  ...(["address_confirmed", "account_disabled", "account_enabled", "signed_out", "password_link_sent", "account_deleted"] as const),
  ...(["password_reset", "second_factor_reset"] as const),
  ...(["limits_set", "plan_granted", "plan_taken_back"] as const),
  ...(["run_canceled", "run_deleted", "message_deleted", "mail_resent", "mail_deleted"] as const),
  ...(["backup_made", "backup_restored", "customer_looked_up", "audit_exported"] as const),
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An administrator, or a command on the server. */
export type Actor = Pick<User, "id" | "email"> | typeof COMMAND_LINE;
export const COMMAND_LINE = "the command line";

/** Small facts, such as a date or a number; no secrets. */
export type AuditDetails = Record<string, string | number | boolean | null>;

export interface NewAuditEntry {
  actor: Actor;
  action: AuditAction;
  /** The affected account; only an address for a person without an account. */
  subject?: { id: string | null; email: string };
  details?: AuditDetails;
}

export interface AuditEntry {
  id: string;
  /** Unix time in ms. */
  at: number;
  action: AuditAction;
  actorId: string | null;
  /** An address, or `COMMAND_LINE`. */
  actor: string;
  subjectId: string | null;
  subject: string | null;
  details: AuditDetails;
}

interface AuditFilter {
  /** Only entries about this account. */
  subjectId?: string;
  /** Part of the address of the actor or the affected person; empty for all. */
  text?: string;
  action?: AuditAction;
  /** Only entries up to this time (Unix time in ms). */
  until?: number;
}

interface AuditQuery extends AuditFilter {
  offset?: number;
  limit: number;
}

export type AuditLog = ReturnType<typeof createAuditLog>;

/** Record of administrators' actions: who, what, to whom, and when. */
export function createAuditLog({ db }: { db: Db }) {
  const entries = ({ subjectId, text, action, until }: AuditFilter) => {
    let wanted = db.selectFrom("audit_entry");
    if (subjectId !== undefined) wanted = wanted.where("subject_id", "=", subjectId);
    if (text) wanted = wanted.where(containsText(["actor", "subject"], text));
    if (action) wanted = wanted.where("action", "=", action);
    if (until !== undefined) wanted = wanted.where("at", "<=", until);
    return wanted;
  };
  return {
    /** Entries, the latest first. */
    async list({ offset = 0, limit, ...query }: AuditQuery): Promise<AuditEntry[]> {
      const rows = await entries(query).selectAll().orderBy("at", "desc").orderBy("id").offset(offset).limit(limit).execute();
      return rows.map(toEntry);
    },

    async count(query: AuditFilter = {}): Promise<number> {
      const { count } = await entries(query)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Writes an entry in a transaction of its own, for actions without another change in the database. */
    async note(entry: NewAuditEntry): Promise<void> {
      await db.transaction().execute((trx) => noteAudit(trx, entry));
    },

    async deleteExpired(now = Date.now()): Promise<void> {
      await db.deleteFrom("audit_entry").where("at", "<", now - KEPT_MS).execute();
    },
  };
}

/** Writes an entry in the transaction of the recorded change: both are stored, or none. */
export async function noteAudit(trx: Trx, { actor, action, subject, details = {} }: NewAuditEntry, at = Date.now()): Promise<void> {
  const who = actor === COMMAND_LINE ? { actor_id: null, actor } : { actor_id: actor.id, actor: actor.email };
  const whom = { subject_id: subject?.id ?? null, subject: subject?.email ?? null };
  await trx.insertInto("audit_entry").values({ id: randomId(), at, action, ...who, ...whom, details: JSON.stringify(details) }).execute();
}

export function isAuditAction(value: string): value is AuditAction {
  return AUDIT_ACTIONS.some((action) => action === value);
}

function toEntry(row: Selectable<AuditEntryTable>): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    action: row.action as AuditAction,
    actorId: row.actor_id,
    actor: row.actor,
    subjectId: row.subject_id,
    subject: row.subject,
    details: JSON.parse(row.details) as AuditDetails,
  };
}
