import type { Db, Trx } from "db/schema";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { openMail } from "./outbox.server";

/** Mail that waits or was given up, without its text, which may contain links that give access to an account. Times are Unix time in ms. */
export interface OutboxRow {
  id: string;
  /** Recipient; null, like the subject, if the mail is sealed with an unknown secret. */
  to: string | null;
  subject: string | null;
  attempts: number;
  createdAt: number;
  /** Time of the next attempt; null if the mail was given up. */
  nextAt: number | null;
  /** Error of the last attempt. */
  error: string | null;
}

export interface OutboxListOptions {
  db: Db;
  box: Pick<SecretBox, "open">;
  /** Called when a mail becomes due, before the commit. */
  onDue?: () => void;
}

export type OutboxList = ReturnType<typeof createOutboxList>;

/** List of the mails in the outbox, for the operator. */
export function createOutboxList({ db, box, onDue = () => {} }: OutboxListOptions) {
  return { list, find, sendNow, remove };

  /** Mails, those given up first, then by the time of the next attempt. */
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

  /** Makes the mail due now, with as many attempts as a new one. */
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
