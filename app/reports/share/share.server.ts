import type { Db } from "db/schema";
import type { ShareDays, ShareView } from "./share-days";
import { hashOf, randomId, randomToken } from "~/platform/crypto/tokens.server";
import { DAY_MS } from "~/platform/durations";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import { withoutAccepted } from "~/runs/accepted-sums.server";
import type { Run } from "~/runs/run";
import { toRun } from "~/runs/run-row.server";

/** Limit of valid links per run. */
const MOST_LINKS = 20;

export interface SharesOptions {
  db: Db;
  acceptances?: Pick<Acceptances, "ofRuns">;
  now?: () => number;
}

export type Shares = ReturnType<typeof createShares>;

/** Shared links to a report. The database stores only a hash of each token. */
export function createShares({ db, acceptances = createAcceptances({ db }), now = Date.now }: SharesOptions) {
  return { create, list, revoke, open, expiryOf, deleteExpired };

  /**
   * Creates a link to a run for its owner. The token is returned only here, once.
   * @returns null if the run has the maximum number of links, or is not the owner's
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

  /** Valid links, the latest first. */
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

  /** Revokes a link: it then answers like an unknown one. False if there is none. */
  async function revoke(owner: string, runId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("share")
      .where("id", "=", id)
      .where("run_id", "=", runId)
      .where("run_id", "in", (eb) => eb.selectFrom("run").select("run.id").where("run.owner", "=", owner))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** Run of a link; undefined for an expired, revoked or unknown link. */
  async function open(token: string): Promise<(Run & { owner: string }) | undefined> {
    const row = await db
      .selectFrom("share")
      .innerJoin("run", "run.id", "share.run_id")
      .selectAll("run")
      .where("share.token_hash", "=", hashOf(token))
      .where("share.expires_at", ">", now())
      // Expired runs, such as those of a closed account, must not be readable before their deletion.
      .where("run.expires_at", ">", now())
      .where("run.deleted_at", "is", null)
      .executeTakeFirst();
    if (!row || row.owner === null) return undefined;
    const [run = toRun(row)] = await withoutAccepted(acceptances, [toRun(row)]);
    return { ...run, owner: row.owner };
  }

  /** Expiry of a link to a run, Unix time in ms; null for an expired, revoked or unknown link, or another run's. */
  async function expiryOf(token: string, runId: string): Promise<number | null> {
    const row = await db
      .selectFrom("share")
      .select("expires_at")
      .where("token_hash", "=", hashOf(token))
      .where("run_id", "=", runId)
      .where("expires_at", ">", now())
      .executeTakeFirst();
    return row?.expires_at ?? null;
  }

  async function deleteExpired(): Promise<void> {
    await db.deleteFrom("share").where("expires_at", "<=", now()).execute();
  }
}
