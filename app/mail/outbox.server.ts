import type { Db, Trx } from "db/schema";
import type { SealedColumn } from "~/platform/crypto/sealed-column.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { randomId } from "~/platform/crypto/tokens.server";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import type { Mail, MailStore } from "./mail";

/** Lease: if the sending process crashes, another attempt follows after this time. */
const LEASE_MS = 5 * MINUTE_MS;
const UNREADABLE_PAUSE_MS = HOUR_MS;
const ERROR_CHARACTERS = 500;
/** Time for which unsent mails are kept, so that the operator can see them. */
const KEPT_MS = 30 * DAY_MS;
/** Longest possible wait; a later time means that the clock was set back. */
const LONGEST_WAIT_MS = 6 * HOUR_MS;

export interface MailsOptions {
  db: Db;
  box: SecretBox;
  /** Called when a mail was stored, before the commit. */
  onPosted?: () => void;
  log?: EventLog;
}

export interface Mails extends MailStore {
  /** Stores a mail in the caller's transaction: it is sent only after the commit. */
  post(trx: Trx, mail: Mail): Promise<void>;
  /** Makes mails due that an ended process was sending, or would soon retry. Called at the start. */
  resume(now?: number): Promise<void>;
  deleteExpired(now?: number): Promise<void>;
}

/** Outbox pattern: mails are stored first and sent later. */
export function createMails({ db, box, onPosted = () => {}, log = () => {} }: MailsOptions): Mails {
  return {
    async post(trx, mail) {
      const id = randomId();
      const now = Date.now();
      await trx
        .insertInto("mail")
        .values({ id, sealed: box.seal(JSON.stringify(mail), purposeOf(id)), created_at: now, run_at: now })
        .execute();
      setImmediate(onPosted);
    },

    async take() {
      const now = Date.now();
      const row = await db
        .updateTable("mail")
        .set((eb) => ({ attempts: eb("attempts", "+", 1), run_at: now + LEASE_MS }))
        .where("id", "=", (eb) =>
          eb
            .selectFrom("mail")
            .select("id")
            .where("given_up_at", "is", null)
            .where((mail) => mail.or([mail("run_at", "<=", now), mail("run_at", ">", now + LONGEST_WAIT_MS)]))
            .orderBy("run_at")
            .orderBy("created_at")
            .limit(1),
        )
        .returning(["id", "sealed", "attempts", "created_at"])
        .executeTakeFirst();
      if (!row) return null;
      const mail = openMail(box, row.id, row.sealed);
      if (mail === null) {
        // Attempt not counted: the operator may restore the secret that sealed the mail.
        await postpone(row.id, "sealed with a secret that is not known", now + UNREADABLE_PAUSE_MS, { attempts: row.attempts - 1 });
        log("mail could not be decrypted", { id: row.id });
        return this.take();
      }
      return { ...mail, id: row.id, attempts: row.attempts, createdAt: row.created_at };
    },

    async nextAt() {
      const { next } = await db
        .selectFrom("mail")
        .select((eb) => eb.fn.min("run_at").as("next"))
        .where("given_up_at", "is", null)
        .executeTakeFirstOrThrow();
      return next;
    },

    async sent(id) {
      await db.deleteFrom("mail").where("id", "=", id).execute();
    },

    async failed(id, error, retryAt) {
      await (retryAt === null ? giveUp(id, error) : postpone(id, error, retryAt));
    },

    async resume(now = Date.now()) {
      await db
        .updateTable("mail")
        .set({ run_at: now })
        .where("given_up_at", "is", null)
        .where("attempts", ">", 0)
        .where("run_at", "<=", now + LEASE_MS)
        .execute();
    },

    async deleteExpired(now = Date.now()) {
      // Also mails whose secret was never restored.
      await db.deleteFrom("mail").where((mail) => mail.or([mail("given_up_at", "<=", now - KEPT_MS), mail("created_at", "<=", now - 2 * KEPT_MS)])).execute();
    },
  };

  async function postpone(id: string, error: string, until: number, more: { attempts?: number } = {}): Promise<void> {
    await db
      .updateTable("mail")
      .set({ run_at: until, error: error.slice(0, ERROR_CHARACTERS), ...more })
      .where("id", "=", id)
      .execute();
  }

  async function giveUp(id: string, error: string): Promise<void> {
    await db
      .updateTable("mail")
      .set({ given_up_at: Date.now(), error: error.slice(0, ERROR_CHARACTERS) })
      .where("id", "=", id)
      .execute();
  }
}

const purposeOf = (id: string) => `mail ${id}`;

export const SEALED_MAILS: SealedColumn = { table: "mail", column: "sealed", key: "id", purposeOf };

/** @returns null if the mail is sealed with an unknown secret */
export function openMail(box: Pick<SecretBox, "open">, id: string, sealed: string): Mail | null {
  const opened = box.open(sealed, purposeOf(id));
  return opened === null ? null : (JSON.parse(opened) as Mail);
}
