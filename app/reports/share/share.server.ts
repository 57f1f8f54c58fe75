import type { Db } from "db/schema";
import type { ShareDays, ShareView } from "./share-days";
import { hashOf, randomId, randomToken } from "~/platform/crypto/tokens.server";
import { toRun, type Run } from "~/runs/run.server";

const DAY_MS = 86_400_000;

/** Of one run, at a time. */
const MOST_LINKS = 20;

export interface SharesOptions {
  db: Db;
  now?: () => number;
}

export type Shares = ReturnType<typeof createShares>;

/** Links under which others may read a report. The database knows only what they can be recognised by. */
export function createShares({ db, now = Date.now }: SharesOptions) {
  return { create, list, takeBack, open, deleteExpired };

  /**
   * Makes a link to a run of its owner, who alone is told what it holds, and only now.
   * @returns null when the run has as many as it may have, or is not the owner's
   */
  async function create(owner: string, runId: string, days: ShareDays): Promise<string | null> {
    const token = randomToken();
    const at = now();
    return db.transaction().execute(async (trx) => {
      const run = await trx
        .selectFrom("run")
        .select("expires_at")
        .where("id", "=", runId)
        .where("owner", "=", owner)
        .where("deleted_at", "is", null)
        .executeTakeFirst();
      if (!run) return null;
      const { count } = await trx
        .selectFrom("share")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("run_id", "=", runId)
        .where("expires_at", ">", at)
        .executeTakeFirstOrThrow();
      if (count >= MOST_LINKS) return null;
      await trx
        .insertInto("share")
        .values({ id: randomId(), token_hash: hashOf(token), run_id: runId, created_at: at, expires_at: Math.min(at + days * DAY_MS, run.expires_at) })
        .execute();
      return token;
    });
  }

  /** Those that work, the latest first. */
  async function list(owner: string, runId: string): Promise<ShareView[]> {
    const rows = await db
      .selectFrom("share")
      .innerJoin("run", "run.id", "share.run_id")
      .select(["share.id", "share.created_at", "share.expires_at"])
      .where("share.run_id", "=", runId)
      .where("run.owner", "=", owner)
      .where("share.expires_at", ">", now())
      .orderBy("share.created_at", "desc")
      .orderBy("share.id")
      .execute();
    return rows.map(({ id, created_at, expires_at }) => ({ id, createdAt: created_at, expiresAt: expires_at }));
  }

  /** From now on the link is one that has never been. False where there is none. */
  async function takeBack(owner: string, runId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("share")
      .where("id", "=", id)
      .where("run_id", "=", runId)
      .where("run_id", "in", (eb) => eb.selectFrom("run").select("run.id").where("run.owner", "=", owner))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** The run that a link leads to; undefined for one that has expired, was taken back, or never was. */
  async function open(token: string): Promise<(Run & { owner: string }) | undefined> {
    const row = await db
      .selectFrom("share")
      .innerJoin("run", "run.id", "share.run_id")
      .selectAll("run")
      .where("share.token_hash", "=", hashOf(token))
      .where("share.expires_at", ">", now())
      // What is only waiting to be deleted, such as the runs of somebody who has left, is nobody's to read.
      .where("run.expires_at", ">", now())
      .where("run.deleted_at", "is", null)
      .executeTakeFirst();
    return row && row.owner !== null ? { ...toRun(row), owner: row.owner } : undefined;
  }

  async function deleteExpired(): Promise<void> {
    await db.deleteFrom("share").where("expires_at", "<=", now()).execute();
  }
}
