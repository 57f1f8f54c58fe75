import type { Db, Trx } from "db/schema";
import type { OutboxList } from "~/mail/outbox-list.server";
import { noteAudit, type Actor, type AuditAction } from "./audit-log.server";

export type MailOverview = ReturnType<typeof createMailOverview>;

/** Waiting and failed mails, for administrators. */
export function createMailOverview({ db, outbox }: { db: Db; outbox: OutboxList }) {
  return {
    list: outbox.list,
    find: (id: string) => outbox.find(id),
    /** @returns false if the mail no longer exists: sent or deleted */
    sendNow: (actor: Actor, id: string) => change(actor, id, "mail_resent", outbox.sendNow),
    /** @returns false if the mail no longer exists: sent or deleted */
    remove: (actor: Actor, id: string) => change(actor, id, "mail_deleted", outbox.remove),
  };

  function change(actor: Actor, id: string, action: AuditAction, work: (trx: Trx, id: string) => Promise<void>): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const mail = await outbox.find(id, trx);
      if (!mail) return false;
      await work(trx, id);
      await noteAudit(trx, { actor, action, subject: mail.to === null ? undefined : { id: null, email: mail.to } });
      return true;
    });
  }
}
