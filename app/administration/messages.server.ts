import type { Db } from "db/schema";
import type { ReceivedMessage } from "~/site/contact/message.server";
import { noteAudit, type Actor } from "./audit-log.server";

export interface MessageRow extends ReceivedMessage {
  id: string;
  /** Time when it was handed to the outbox (Unix time in ms); null while there is no recipient. */
  postedAt: number | null;
}

export type MessageOverview = ReturnType<typeof createMessageOverview>;

/** Messages of the contact form, for administrators. */
export function createMessageOverview({ db }: { db: Db }) {
  return { list, find, remove };

  /** Messages, the latest first. */
  async function list({ offset, limit }: { offset: number; limit: number }): Promise<{ messages: MessageRow[]; total: number }> {
    const { total } = await db.selectFrom("message").select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const messages = await rows().orderBy("created_at", "desc").orderBy("id").offset(offset).limit(limit).execute();
    return { messages, total };
  }

  function find(id: string): Promise<MessageRow | undefined> {
    return rows().where("id", "=", id).executeTakeFirst();
  }

  /** @returns false if the message no longer exists */
  async function remove(actor: Actor, id: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const removed = await trx.deleteFrom("message").where("id", "=", id).returning("email").executeTakeFirst();
      if (!removed) return false;
      await noteAudit(trx, { actor, action: "message_deleted", subject: { id: null, email: removed.email } });
      return true;
    });
  }

  function rows() {
    return db.selectFrom("message").select(["id", "email", "subject", "text", "locale", "created_at as createdAt", "posted_at as postedAt"]);
  }
}
