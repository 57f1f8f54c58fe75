import type { Selectable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { InvitationTable } from "db/tables/administration";
import type { AdmissionLinks } from "~/accounts/registration.server";
import type { WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import { hashOf, randomId, randomToken } from "~/platform/crypto/tokens.server";
import { DAY_MS } from "~/platform/durations";
import { emailKey } from "~/platform/forms/email-address";
import type { Locale } from "~/platform/i18n/i18n";
import { COMMAND_LINE, noteAudit, type Actor } from "./audit-log.server";
import type { SignInMode } from "./administrators.server";

export const INVITATION_DAYS = 14;
const INVITATION_PATH = "/invitation";
/** Time in which a second sending counts as a double click: the person is invited once. */
const SECOND_CLICK_MS = 10_000;
/** Retention of used and expired invitations in the list. */
const KEPT_MS = 30 * DAY_MS;

export interface Invitation {
  id: string;
  email: string;
  locale: Locale;
  /** An address; null for a command on the server. */
  invitedBy: string | null;
  /** Unix time in ms. */
  sentAt: number;
  expiresAt: number;
  /** Time when an account was created with it; null if unused. */
  usedAt: number | null;
}

export interface InvitationsOptions extends SignInMode {
  db: Db;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for the link in the mail. */
  baseUrl: string;
}

export type Invitations = ReturnType<typeof createInvitations>;

/** Invitations to create an account, sent by mail. The link is valid for 14 days, once, and confirms the address. */
export function createInvitations({ db, hosted, mails, write, baseUrl }: InvitationsOptions) {
  return { invite, sendAgain, takeBack, list, deleteExpired, admissions: { path: INVITATION_PATH, find } satisfies AdmissionLinks };

  /** Replaces an earlier invitation of the address. @returns `known` if an account with this address can sign in */
  function invite(actor: Actor, { email, locale }: { email: string; locale: Locale }): Promise<"sent" | "known"> {
    return db.transaction().execute(async (trx) => {
      const account = await trx.selectFrom("user").select("id").where("email_key", "=", emailKey(email)).where("subject", hosted ? "is not" : "is", null).executeTakeFirst();
      if (account) return "known";
      const earlier = await trx.selectFrom("invitation").select(["locale", "sent_at"]).where("email_key", "=", emailKey(email)).where("used_at", "is", null).executeTakeFirst();
      if (earlier && earlier.locale === locale && Date.now() - earlier.sent_at < SECOND_CLICK_MS) return "sent";
      await trx.deleteFrom("invitation").where("email_key", "=", emailKey(email)).execute();
      await send(trx, actor, { id: randomId(), email, locale });
      await noteAudit(trx, { actor, action: "invitation_sent", subject: { id: null, email } });
      return "sent";
    });
  }

  /**
   * Sends a new link; the earlier one ends.
   * @param sentAt time of the link that is replaced, Unix ms; if it has been replaced already, nothing is sent
   * @returns false if the invitation is used or withdrawn
   */
  function sendAgain(actor: Actor, id: string, sentAt: number): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const row = await open(trx, id);
      if (!row) return false;
      if (row.sent_at !== sentAt) return true;
      await trx.deleteFrom("invitation").where("id", "=", id).execute();
      await send(trx, actor, row);
      await noteAudit(trx, { actor, action: "invitation_sent", subject: { id: null, email: row.email } });
      return true;
    });
  }

  /** @returns false if the invitation is used or withdrawn */
  function takeBack(actor: Actor, id: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const row = await open(trx, id);
      if (!row) return false;
      await trx.deleteFrom("invitation").where("id", "=", id).execute();
      await noteAudit(trx, { actor, action: "invitation_taken_back", subject: { id: null, email: row.email } });
      return true;
    });
  }

  /** Invitations, the latest first. */
  async function list({ offset, limit }: { offset: number; limit: number }): Promise<{ invitations: Invitation[]; total: number }> {
    const { total } = await db
      .selectFrom("invitation")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const rows = await db.selectFrom("invitation").selectAll().orderBy("sent_at", "desc").orderBy("id").offset(offset).limit(limit).execute();
    return { invitations: rows.map(toInvitation), total };
  }

  async function deleteExpired(now = Date.now()): Promise<void> {
    await db.deleteFrom("invitation").where("expires_at", "<", now - KEPT_MS).execute();
  }

  async function find(token: string, now = Date.now()) {
    const row = await db.selectFrom("invitation").select(["id", "email"]).where("token_hash", "=", hashOf(token)).where("used_at", "is", null).where("expires_at", ">", now).executeTakeFirst();
    if (!row) return undefined;
    return {
      email: row.email,
      redeem: async (trx: Trx, userId: string) => {
        const { numUpdatedRows } = await trx
          .updateTable("invitation")
          .set({ used_at: Date.now(), user_id: userId })
          .where("token_hash", "=", hashOf(token))
          .where("used_at", "is", null)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      },
    };
  }

  async function send(trx: Trx, actor: Actor, { id, email, locale }: Pick<Invitation, "id" | "email" | "locale">): Promise<void> {
    const token = randomToken();
    const now = Date.now();
    const invitedBy = actor === COMMAND_LINE ? actor : actor.email;
    await trx
      .insertInto("invitation")
      .values({ id, token_hash: hashOf(token), email, email_key: emailKey(email), locale, invited_by: invitedBy, sent_at: now, expires_at: now + INVITATION_DAYS * DAY_MS })
      .execute();
    const values = { days: String(INVITATION_DAYS), link: `${baseUrl}${INVITATION_PATH}?token=${token}` };
    await mails.post(trx, { to: email, ...write("invitation", locale, values) });
  }
}

/** The invitation, if it is neither used nor withdrawn; it may have expired. */
async function open(trx: Trx, id: string) {
  return trx.selectFrom("invitation").selectAll().where("id", "=", id).where("used_at", "is", null).executeTakeFirst();
}

function toInvitation(row: Selectable<InvitationTable>): Invitation {
  return { id: row.id, email: row.email, locale: row.locale, invitedBy: row.invited_by === COMMAND_LINE ? null : row.invited_by, sentAt: row.sent_at, expiresAt: row.expires_at, usedAt: row.used_at };
}
