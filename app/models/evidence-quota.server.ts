import { setImmediate as breathe } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "db/schema";
import { freeSpace } from "./retention.server";

/** Of all evidence: free checks may take a quarter, one account a half. */
const SHARE_OF_ANONYMOUS = 1 / 4;
const SHARE_OF_ACCOUNT = 1 / 2;
/** Down to this share of a limit, so that not every scan brings the next clean-up. */
const ENOUGH = 0.9;
const OVER = ["succeeded", "failed", "canceled"] as const;

export interface EvidenceQuotaOptions {
  db: Db;
  /** Of all runs together. */
  maxBytes: number;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export type EvidenceQuota = ReturnType<typeof createEvidenceQuota>;

/** Keeps stored evidence (elements and their pictures) within its limits: the oldest goes first; sums and rules stay. */
export function createEvidenceQuota({ db, maxBytes, log = () => {} }: EvidenceQuotaOptions) {
  return { enforce, bytes };

  /** What all evidence takes at present. */
  async function bytes(): Promise<number> {
    return [...(await byOwner()).values()].reduce((sum, each) => sum + each, 0);
  }

  /** @returns how many runs have lost evidence */
  async function enforce(): Promise<number> {
    const owners = await byOwner();
    let thinned = 0;
    for (const [owner, used] of owners) {
      const limit = maxBytes * (owner === null ? SHARE_OF_ANONYMOUS : SHARE_OF_ACCOUNT);
      if (used > limit) thinned += await shrink(used - limit * ENOUGH, owner);
    }
    const all = await bytes();
    if (all > maxBytes) thinned += await shrink(all - maxBytes * ENOUGH);
    if (thinned > 0) {
      await freeSpace(db);
      log("evidence of older runs deleted", { runs: thinned, bytes: await bytes(), maxBytes });
    }
    return thinned;
  }

  async function byOwner(): Promise<Map<string | null, number>> {
    const rows = await db
      .selectFrom("run")
      .select((eb) => ["owner", eb.fn.sum<number>("evidence_bytes").as("bytes")])
      .where("evidence_bytes", ">", 0)
      .groupBy("owner")
      .execute();
    return new Map(rows.map(({ owner, bytes: used }) => [owner, used]));
  }

  /** First what the fewest miss, of all of the oldest runs; then the rest. @param owner undefined for everybody */
  async function shrink(excess: number, owner?: string | null): Promise<number> {
    let left = excess;
    let thinned = 0;
    for (const stage of ["short", "gone"] as const) {
      while (left > 0) {
        const run = await oldest(stage === "short" ? ["kept"] : ["kept", "short"], owner);
        if (run === undefined) break;
        left -= await thin(run, stage);
        thinned += 1;
        await breathe();
      }
    }
    return thinned;
  }

  async function oldest(evidence: ("kept" | "short")[], owner?: string | null): Promise<string | undefined> {
    let runs = db
      .selectFrom("run")
      .select("id")
      .where("evidence_bytes", ">", 0)
      .where("evidence", "in", evidence)
      .where("status", "in", OVER);
    if (owner !== undefined) runs = owner === null ? runs.where("owner", "is", null) : runs.where("owner", "=", owner);
    const row = await runs.orderBy(sql`owner is not null`).orderBy("created_at").limit(1).executeTakeFirst();
    return row?.id;
  }

  /** @returns bytes that are free now */
  async function thin(runId: string, stage: "short" | "gone"): Promise<number> {
    return db.transaction().execute(async (trx) => {
      const pages = trx.selectFrom("page").select("id").where("run_id", "=", runId);
      let elements = trx.deleteFrom("element").where("page_id", "in", pages);
      if (stage === "short") elements = elements.where("category", "in", ["passes", "inapplicable"]);
      await elements.execute();
      await trx.deleteFrom("picture").where("run_id", "=", runId).execute();
      await trx.updateTable("element").set({ picture: null }).where("page_id", "in", pages).where("picture", "is not", null).execute();
      const { bytes: remaining } = await trx
        .selectFrom("element")
        .select(sql<number>`coalesce(sum(length(html) + length(target) + length(checks)), 0)`.as("bytes"))
        .where("page_id", "in", pages)
        .executeTakeFirstOrThrow();
      const { evidence_bytes: before } = await trx
        .selectFrom("run")
        .select("evidence_bytes")
        .where("id", "=", runId)
        .executeTakeFirstOrThrow();
      await trx.updateTable("run").set({ evidence: stage, evidence_bytes: remaining }).where("id", "=", runId).execute();
      return before - remaining;
    });
  }
}
