import { setImmediate as breathe } from "node:timers/promises";
import { sql } from "kysely";
import { freeSpace } from "db/free-space.server";
import type { Db, Trx } from "db/schema";
import type { EventLog } from "~/platform/event-log";
import type { Category } from "~/scan/types";
import { deleteUnusedTexts, TEXT_ROW_BYTES } from "./element-text.server";
import type { EvidenceState } from "./evidence-state";
import { ROW_BYTES } from "./finding.server";

/** Shares of all evidence: all free checks together, and one account. */
const SHARE_OF_ANONYMOUS = 1 / 4;
const SHARE_OF_ACCOUNT = 1 / 2;
/** Share of a limit that remains after deletion, so that not every scan needs the next clean-up. */
const ENOUGH = 0.9;
const OVER = ["succeeded", "failed", "canceled"] as const;
/** Categories to delete first: they need no fix. */
const LEAST_MISSED: Category[] = ["passes", "inapplicable"];

export interface EvidenceQuotaOptions {
  db: Db;
  /** Limit for all runs together. */
  maxBytes: number;
  /** Deletes the objects of runs in the object store. */
  deleteObjectsOf?: (runIds: string[]) => Promise<void>;
  log?: EventLog;
}

/** Bytes by owner; null: all free checks together. */
type Sizes = Map<string | null, number>;

/** Deletes evidence (elements, keyboard walks and their pictures) above its limits, the oldest first. Counts and rules stay. */
export function createEvidenceQuota({ db, maxBytes, deleteObjectsOf = () => Promise.resolve(), log = () => {} }: EvidenceQuotaOptions) {
  return { enforce, bytes };

  /** Size of all evidence. */
  async function bytes(): Promise<number> {
    return sum(await byOwner());
  }

  /** @returns number of runs that lost evidence */
  async function enforce(): Promise<number> {
    let thinned = await finishInterrupted();
    const owners = await byOwner();
    for (const [owner, used] of owners) {
      const limit = maxBytes * (owner === null ? SHARE_OF_ANONYMOUS : SHARE_OF_ACCOUNT);
      if (used > limit) thinned += await shrink(owners, owner, limit * ENOUGH);
    }
    thinned += await shrinkLargest(owners);
    if (thinned > 0) {
      await freeSpace(db);
      log("evidence of older runs deleted", { runs: thinned, bytes: await bytes(), maxBytes });
    }
    return thinned;
  }

  /** Runs without a size: from older versions, or with an interrupted deletion. */
  async function finishInterrupted(): Promise<number> {
    let thinned = 0;
    for (;;) {
      const run = await db
        .selectFrom("run")
        .select(["id", "evidence"])
        .where("evidence_bytes", "<", 0)
        .where("status", "in", OVER)
        .limit(1)
        .executeTakeFirst();
      if (!run) return thinned;
      if (run.evidence === "kept") await db.transaction().execute((trx) => measure(trx, run.id));
      else {
        await thin(run.id, run.evidence);
        thinned += 1;
      }
      await breathe();
    }
  }

  async function byOwner(): Promise<Sizes> {
    const rows = await db
      .selectFrom("run")
      .select((eb) => ["owner", eb.fn.sum<number>("evidence_bytes").as("bytes")])
      .where("evidence_bytes", ">", sql.lit(0))
      .groupBy("owner")
      .orderBy("owner", (order) => order.asc().nullsFirst())
      .execute();
    return new Map(rows.map(({ owner, bytes: used }) => [owner, used]));
  }

  /**
   * Deletes the oldest evidence of the largest owner while the total is too large, so that a few accounts do not
   * displace the others.
   * All free checks together are one owner.
   */
  async function shrinkLargest(owners: Sizes): Promise<number> {
    let thinned = 0;
    let candidates = [...owners.keys()];
    for (let limit = maxBytes; sum(owners) > limit && candidates.length > 0; limit = maxBytes * ENOUGH) {
      const owner = candidates.reduce((one, other) => ((owners.get(other) ?? 0) > (owners.get(one) ?? 0) ? other : one));
      if (await thinOldest(owners, owner)) thinned += 1;
      // The other runs of this owner are still in progress.
      else candidates = candidates.filter((other) => other !== owner);
    }
    return thinned;
  }

  async function shrink(owners: Sizes, owner: string | null, limit: number): Promise<number> {
    let thinned = 0;
    while ((owners.get(owner) ?? 0) > limit && (await thinOldest(owners, owner))) thinned += 1;
    return thinned;
  }

  /** Deletes pictures and passes of all runs of an owner, then the rest. @returns false when nothing is left */
  async function thinOldest(owners: Sizes, owner: string | null): Promise<boolean> {
    const kept = await oldest(["kept"], owner);
    const run = kept ?? (await oldest(["short"], owner));
    if (!run) return false;
    const remaining = await thin(run.id, kept ? "short" : "gone");
    owners.set(owner, (owners.get(owner) ?? 0) - run.bytes + remaining);
    return true;
  }

  async function oldest(evidence: readonly EvidenceState[], owner: string | null) {
    return db
      .selectFrom("run")
      .select(["id", "evidence_bytes as bytes"])
      // Literal: SQLite chooses a partial index before it knows parameters.
      .where("evidence_bytes", ">", sql.lit(0))
      .where("evidence", "in", evidence)
      .where("status", "in", OVER)
      .where((eb) => (owner === null ? eb("owner", "is", null) : eb("owner", "=", owner)))
      .orderBy("created_at")
      .limit(1)
      .executeTakeFirst();
  }

  /**
   * Deletes in small steps. The run is marked first, so that its report never lacks anything silently. It has no size until the
   * last step, so that an interrupted deletion is finished later.
   * @returns remaining bytes
   */
  async function thin(id: string, stage: "short" | "gone"): Promise<number> {
    await db.updateTable("run").set({ evidence: stage, evidence_bytes: -1 }).where("id", "=", id).execute();
    const pages = (await db.selectFrom("page").select("id").where("run_id", "=", id).execute()).map((page) => page.id);
    for (const page of pages) await thinPage(page, stage);
    await deleteUnusedTexts(db, id, pages);
    const remaining = await db.transaction().execute(async (trx) => {
      await trx.deleteFrom("picture").where("run_id", "=", id).execute();
      await trx.deleteFrom("stored_picture").where("run_id", "=", id).execute();
      return measure(trx, id);
    });
    await deleteObjectsOf([id]);
    return remaining;
  }

  async function thinPage(page: number, stage: "short" | "gone"): Promise<void> {
    await db.updateTable("stored_element").set({ picture: null }).where("page_id", "=", page).where("picture", "is not", null).execute();
    await db.deleteFrom("page_picture").where("page_id", "=", page).execute();
    if (stage === "gone") await db.deleteFrom("keyboard_walk").where("page_id", "=", page).execute();
    else await db.updateTable("keyboard_walk").set({ picture: null }).where("page_id", "=", page).execute();
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
      select
        coalesce((select sum(${sql.lit(ROW_BYTES)} + octet_length(html) + octet_length(target) + octet_length(checks) + octet_length(coalesce(place, '')))
          from stored_element join page on page.id = page_id where page.run_id = ${runId}), 0)
        + coalesce((select sum(${sql.lit(TEXT_ROW_BYTES)} + octet_length(text)) from element_text where run_id = ${runId}), 0)
        + coalesce((select sum(octet_length(stops)) from keyboard_walk join page on page.id = page_id where page.run_id = ${runId}), 0)
        + coalesce((select sum(octet_length(marks)) from page_picture join page on page.id = page_id where page.run_id = ${runId}), 0)
        + coalesce((select sum(length(image)) from picture where run_id = ${runId}), 0)
        + coalesce((select sum(bytes) from stored_picture where run_id = ${runId}), 0) as bytes`.execute(trx);
    const used = rows[0]?.bytes ?? 0;
    await trx.updateTable("run").set({ evidence_bytes: used }).where("id", "=", runId).execute();
    return used;
  }
}

const sum = (owners: Sizes) => [...owners.values()].reduce((total, used) => total + used, 0);
