import type { Db, Trx } from "db/schema";
import type { Locale } from "~/platform/i18n/i18n";
import { randomId } from "~/platform/crypto/tokens.server";
import { DAY_MS, MINUTE_MS } from "~/platform/durations";
import type { Letter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";

/** Retention of messages in days; contact page and privacy page name it. */
const KEPT_DAYS = 180;
const KEPT_MS = KEPT_DAYS * DAY_MS;
/** Same text again within this time: a double click, not a second message. */
const SECOND_CLICK_MS = 10 * MINUTE_MS;

/** A visitor's message to the operator. */
export interface Message {
  email: string;
  subject: string;
  text: string;
  /** The language of the form it was written in. */
  locale: Locale;
}

/** A message with the time of its arrival (Unix time in ms). */
export interface ReceivedMessage extends Message {
  createdAt: number;
}

export interface MessagesOptions {
  db: Db;
  mails: Pick<Mails, "post">;
  /** Writes the mail for a message. */
  write: (message: ReceivedMessage) => Letter;
  /** The operator's address; null when none is configured. */
  to: string | null;
}

export type Messages = ReturnType<typeof createMessages>;

/** Messages to the operator: stored first, then mailed by the outbox, so that no message is lost when mail is down. */
export function createMessages({ db, mails, write, to }: MessagesOptions) {
  return { hasReader: to !== null, keptDays: KEPT_DAYS, receive, postWaiting, deleteExpired };

  /** Atomic: stores the message and the mail to the operator in one transaction. */
  async function receive(message: Message, now = Date.now()): Promise<void> {
    await db.transaction().execute(async (trx) => {
      if (await isSecondClick(trx, message, now)) return;
      const id = randomId();
      await trx.insertInto("message").values({ id, ...message, created_at: now }).execute();
      await post(trx, id, { ...message, createdAt: now });
    });
  }

  /** Mails the messages that arrived while no operator address was configured. */
  async function postWaiting(): Promise<void> {
    if (to === null) return;
    await db.transaction().execute(async (trx) => {
      const waiting = await trx
        .selectFrom("message")
        .selectAll()
        .where("posted_at", "is", null)
        .orderBy("created_at")
        .execute();
      for (const { id, created_at: createdAt, email, subject, text, locale } of waiting) {
        await post(trx, id, { email, subject, text, locale, createdAt });
      }
    });
  }

  async function deleteExpired(now = Date.now()): Promise<void> {
    await db.deleteFrom("message").where("created_at", "<=", now - KEPT_MS).execute();
  }

  async function post(trx: Trx, id: string, message: ReceivedMessage): Promise<void> {
    if (to === null) return;
    await mails.post(trx, { to, replyTo: message.email, ...write(message) });
    await trx.updateTable("message").set({ posted_at: Date.now() }).where("id", "=", id).execute();
  }
}

async function isSecondClick(trx: Trx, { email, subject, text }: Message, now: number): Promise<boolean> {
  const same = await trx
    .selectFrom("message")
    .select("id")
    .where("created_at", ">", now - SECOND_CLICK_MS)
    .where("email", "=", email)
    .where("subject", "=", subject)
    .where("text", "=", text)
    .executeTakeFirst();
  return same !== undefined;
}
