import type { Db } from "db/schema";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import type { WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import type { EventLog } from "~/platform/event-log";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { withoutAccepted } from "~/runs/accepted-sums.server";
import type { Run } from "~/runs/run";
import { storedMailWish, toRun } from "~/runs/run-row.server";
import { toUser } from "~/accounts/user.server";

const PER_ROUND = 50;
const UNSUBSCRIBE = "unsubscribe from finished scans";

export interface FinishedMailsOptions {
  db: Db;
  mails: Pick<Mails, "post">;
  /** Writes the text of a mail. */
  write: WriteLetter;
  box: Pick<SecretBox, "seal" | "open">;
  /** Public origin, for the links in mails. */
  baseUrl: string;
  acceptances?: Pick<Acceptances, "ofRuns">;
  log?: EventLog;
}

export type FinishedMails = ReturnType<typeof createFinishedMails>;

/** Mails about finished scans, for users who requested one at the start. */
export function createFinishedMails({ db, mails, write, box, baseUrl, acceptances = createAcceptances({ db }), log = () => {} }: FinishedMailsOptions) {
  return { tick, wishFor, isWanted, want, unsubscribed, unsubscribe };

  /** Sends due mails. A failed mail is tried again by the next call, and does not block the others. */
  async function tick(): Promise<void> {
    const rows = await db
      .selectFrom("run")
      .selectAll()
      .where("mail_when_done", "=", 1)
      .where("status", "in", ["succeeded", "failed", "canceled"])
      // Newest first: runs whose mail fails must not fill every round.
      .orderBy("finished_at", "desc")
      .limit(PER_ROUND)
      .execute();
    for (const run of await withoutAccepted(acceptances, rows.map((row) => ({ ...toRun(row), deletedAt: row.deleted_at })))) {
      await tell(run).catch((error: unknown) => log("mail about a finished scan was not written", { run: run.id, err: error }));
    }
  }

  /** Atomic: the mail is in the outbox, or the run is found again by the next call. */
  function tell({ id, url, status, owner, stats, deletedAt }: Run & { deletedAt: number | null }): Promise<void> {
    return db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx.updateTable("run").set({ mail_when_done: 0 }).where("id", "=", id).where("mail_when_done", "=", 1).executeTakeFirstOrThrow();
      const user = await trx.selectFrom("user").selectAll().where("id", "=", owner).executeTakeFirst();
      // No mail to an unconfirmed address, as it may be another person's; nor for a canceled or deleted scan, as its user knows.
      if (numUpdatedRows === 0n || user?.email_verified !== 1 || status === "canceled" || deletedAt !== null) return;
      const { email, locale } = toUser(user);
      const { format } = new Intl.NumberFormat(locale);
      const unsubscribeLink = `${baseUrl}/unsubscribe/${box.seal(user.id, UNSUBSCRIBE)}`;
      const values = {
        ...{ address: url, link: `${baseUrl}/run/${id}`, unsubscribe: unsubscribeLink },
        ...{ rules: format(stats.violatedRules), elements: format(stats.elements), pages: format(stats.pages - stats.failedPages), failed: format(stats.failedPages) },
      };
      const kind = stats.pages === stats.failedPages ? "scan_failed" : status === "failed" ? "scan_broken_off" : "scan_done";
      await mails.post(trx, { ...write(kind, locale, values), to: email, unsubscribe: unsubscribeLink });
    });
  }

  /**
   * Default for the mail about a scan, if the user does not choose.
   * @param again run to repeat
   * @returns false if they declined the mail of that run, undefined after they unsubscribed
   */
  async function wishFor(userId: string, again: string | null = null): Promise<boolean | undefined> {
    const declined = again !== null && (await db.selectFrom("run").select("id").where("id", "=", again).where("mail_when_done", "=", 2).executeTakeFirst());
    if (declined) return false;
    const row = await db.selectFrom("user").select("mails_when_done").where("id", "=", userId).executeTakeFirst();
    return row?.mails_when_done === 1 || undefined;
  }

  async function isWanted(runId: string): Promise<boolean> {
    const row = await db.selectFrom("run").select("mail_when_done").where("id", "=", runId).executeTakeFirst();
    return row?.mail_when_done === 1;
  }

  /** Sets the wish for a mail, only while the run is not over. */
  async function want(owner: string, runId: string, wanted: boolean): Promise<void> {
    await db
      .updateTable("run")
      .set({ mail_when_done: storedMailWish(wanted) })
      .where("id", "=", runId)
      .where("owner", "=", owner)
      .where("status", "in", ["queued", "running"])
      .execute();
  }

  /** User of a mail's link; null for an invalid link. */
  async function unsubscribed(token: string): Promise<{ mails: boolean } | null> {
    const id = box.open(token, UNSUBSCRIBE);
    const row = id === null ? undefined : await db.selectFrom("user").select("mails_when_done").where("id", "=", id).executeTakeFirst();
    return row ? { mails: row.mails_when_done === 1 } : null;
  }

  /** Ends these mails, also for running scans. Each new scan can request one again. */
  async function unsubscribe(token: string): Promise<boolean> {
    const id = box.open(token, UNSUBSCRIBE);
    if (id === null) return false;
    return db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx.updateTable("user").set({ mails_when_done: 0 }).where("id", "=", id).executeTakeFirstOrThrow();
      await trx.updateTable("run").set({ mail_when_done: 0 }).where("owner", "=", id).where("mail_when_done", "=", 1).execute();
      return numUpdatedRows > 0n;
    });
  }
}
