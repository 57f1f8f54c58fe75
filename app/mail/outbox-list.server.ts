import type { Db, Trx } from "db/schema";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { openMail } from "./outbox.server";

/** A mail that waits or was given up, without its text: that may contain links that give access to an account. Times are Unix time in ms. */
export interface OutboxRow {
  id: string;
  /** Recipient and subject; null if the mail is sealed with a secret that is not known. */
  to: string | null;
  subject: string | null;
  attempts: number;
  createdAt: number;
  /** Next attempt; null if it was given up. */
  nextAt: number | null;
  /** Of the last attempt. */
  error: string | null;
}

export interface OutboxListOptions {
  db: Db;
  box: Pick<SecretBox, "open">;
  /** A mail is due; called before that is committed. */
  onDue?: () => void;
}

export type OutboxList = ReturnType<typeof createOutboxList>;

/** The mails in the outbox, for the operator. */
export function createOutboxList({ db, box, onDue = () => {} }: OutboxListOptions) {
  return { list, find, sendNow, remove };

  /** Given up mails first, then by the time of the next attempt. */
  async function list({ offset, limit }: { offset: number; limit: number }): Promise<{ mails: OutboxRow[]; total: number }> {
    const { total } = await db.selectFrom("mail").select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const found = await rows(db)
      .orderBy((eb) => eb.case().when("given_up_at", "is", null).then(1).else(0).end())
      .orderBy("run_at")
      .orderBy("id")
      .offset(offset)
      .limit(limit)
      .execute();
    return { mails: found.map(toRow), total };
  }

  async function find(id: string, on: Db | Trx = db): Promise<OutboxRow | undefined> {
    const row = await rows(on).where("id", "=", id).executeTakeFirst();
    return row && toRow(row);
  }

  /** The mail is due now, with as many attempts as a new one. */
  async function sendNow(trx: Trx, id: string): Promise<void> {
    await trx.updateTable("mail").set({ run_at: Date.now(), attempts: 0, given_up_at: null }).where("id", "=", id).execute();
    setImmediate(onDue);
  }

  async function remove(trx: Trx, id: string): Promise<void> {
    await trx.deleteFrom("mail").where("id", "=", id).execute();
  }

  function toRow({ id, sealed, attempts, created_at, run_at, given_up_at, error }: Awaited<ReturnType<ReturnType<typeof rows>["execute"]>>[number]): OutboxRow {
    const mail = openMail(box, id, sealed);
    return {
      ...{ id, attempts, error },
      to: mail?.to ?? null,
      subject: mail?.subject ?? null,
      createdAt: created_at,
      nextAt: given_up_at === null ? run_at : null,
    };
  }
}

function rows(on: Db | Trx) {
  return on.selectFrom("mail").select(["id", "sealed", "attempts", "created_at", "run_at", "given_up_at", "error"]);
}
