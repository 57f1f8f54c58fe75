import { setImmediate as breathe } from "node:timers/promises";
import { sql } from "kysely";
import type { Db, Trx } from "db/schema";
import type { Category } from "~/scan/types";
import { deleteUnusedTexts } from "./element-text.server";
import { freeSpace } from "./retention.server";

/** Shares of all evidence: all free checks together, and one account. */
const SHARE_OF_ANONYMOUS = 1 / 4;
const SHARE_OF_ACCOUNT = 1 / 2;
/** Deletes down to this share of a limit, so that not every scan needs the next clean-up. */
const ENOUGH = 0.9;
const OVER = ["succeeded", "failed", "canceled"] as const;
/** Needed least: there is nothing to mend. */
const LEAST_MISSED: Category[] = ["passes", "inapplicable"];

export interface EvidenceQuotaOptions {
  db: Db;
  /** Limit for all runs together. */
  maxBytes: number;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export type EvidenceQuota = ReturnType<typeof createEvidenceQuota>;

/** Deletes evidence (elements and their pictures) above its limits, the oldest first. Counts and rules stay. */
export function createEvidenceQuota({ db, maxBytes, log = () => {} }: EvidenceQuotaOptions) {
  return { enforce, bytes };

  /** Size of all evidence. */
  async function bytes(): Promise<number> {
    return [...(await byOwner()).values()].reduce((sum, each) => sum + each, 0);
  }

  /** @returns number of runs that lost evidence */
  async function enforce(): Promise<number> {
    await measureOldRuns();
    let thinned = 0;
    for (const [owner, used] of await byOwner()) {
      const limit = maxBytes * (owner === null ? SHARE_OF_ANONYMOUS : SHARE_OF_ACCOUNT);
      if (used > limit) thinned += await shrink(owner, used - limit * ENOUGH);
    }
    thinned += await shrinkLargest();
    if (thinned > 0) {
      await freeSpace(db);
      log("evidence of older runs deleted", { runs: thinned, bytes: await bytes(), maxBytes });
    }
    return thinned;
  }

  /** While all evidence together is too much: the oldest of the owner with most, so that a few accounts do not push out others. */
  async function shrinkLargest(): Promise<number> {
    let thinned = 0;
    for (let limit = maxBytes; ; limit = maxBytes * ENOUGH) {
      const [[largest] = [undefined]] = [...(await byOwner())].sort(([, one], [, other]) => other - one);
      if (largest === undefined || (await bytes()) <= limit || (await thinOldest(largest)) === null) return thinned;
      thinned += 1;
    }
  }

  /** Runs of older versions have no size yet. */
  async function measureOldRuns(): Promise<void> {
    for (;;) {
      const run = await db
        .selectFrom("run")
        .select("id")
        .where("evidence_bytes", "<", 0)
        .where("status", "in", OVER)
        .limit(1)
        .executeTakeFirst();
      if (!run) return;
      await db.transaction().execute((trx) => measure(trx, run.id));
      await breathe();
    }
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

  async function shrink(owner: string | null, excess: number): Promise<number> {
    let thinned = 0;
    for (let left = excess; left > 0; thinned += 1) {
      const freed = await thinOldest(owner);
      if (freed === null) break;
      left -= freed;
    }
    return thinned;
  }

  /** First pictures and passes of all runs of an owner, then the rest. @returns freed bytes; null where nothing is left */
  async function thinOldest(owner: string | null): Promise<number | null> {
    for (const stage of ["short", "gone"] as const) {
      const run = await oldest(stage === "short" ? ["kept"] : ["kept", "short"], owner);
      if (run) return thin(run, stage);
    }
    return null;
  }

  async function oldest(evidence: ("kept" | "short")[], owner: string | null) {
    return db
      .selectFrom("run")
      .select(["id", "evidence_bytes as bytes"])
      .where("evidence_bytes", ">", 0)
      .where("evidence", "in", evidence)
      .where("status", "in", OVER)
      .where((eb) => (owner === null ? eb("owner", "is", null) : eb("owner", "=", owner)))
      .orderBy("created_at")
      .limit(1)
      .executeTakeFirst();
  }

  /** In small steps. The run is marked first, so that its report never lacks something silently. @returns freed bytes */
  async function thin({ id, bytes: before }: { id: string; bytes: number }, stage: "short" | "gone"): Promise<number> {
    await db.updateTable("run").set({ evidence: stage }).where("id", "=", id).execute();
    const pages = (await db.selectFrom("page").select("id").where("run_id", "=", id).execute()).map((page) => page.id);
    for (const page of pages) await thinPage(page, stage);
    const remaining = await db.transaction().execute(async (trx) => {
      await trx.deleteFrom("picture").where("run_id", "=", id).execute();
      await deleteUnusedTexts(trx, id);
      return measure(trx, id);
    });
    return before - remaining;
  }

  async function thinPage(page: number, stage: "short" | "gone"): Promise<void> {
    await db.updateTable("stored_element").set({ picture: null }).where("page_id", "=", page).where("picture", "is not", null).execute();
    // A finding has a thousand elements at most.
    const findings = await db.selectFrom("finding").select(["category", "rule_id"]).where("page_id", "=", page).execute();
    for (const { category, rule_id } of findings) {
      if (stage === "short" && !LEAST_MISSED.includes(category)) continue;
      await db
        .deleteFrom("stored_element")
        .where("page_id", "=", page)
        .where("category", "=", category)
        .where("rule_id", "=", rule_id)
        .execute();
      await breathe();
    }
  }

  /** @returns size of the run's evidence (bytes) */
  async function measure(trx: Trx, runId: string): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce((select sum(60 + length(cast(html as blob)) + length(cast(target as blob)) + length(cast(checks as blob)) + length(cast(coalesce(place, '') as blob)))
        from stored_element join page on page.id = page_id where page.run_id = ${runId}), 0)
        + coalesce((select sum(length(cast(text as blob))) from element_text where run_id = ${runId}), 0)
        + coalesce((select sum(length(image)) from picture where run_id = ${runId}), 0) as bytes`.execute(trx);
    const used = rows[0]?.bytes ?? 0;
    await trx.updateTable("run").set({ evidence_bytes: used }).where("id", "=", runId).execute();
    return used;
  }
}
