import type { Db, Trx } from "db/schema";
import { noteUrlChange } from "./website-slot.server";

/** `not_transferable`: registered with a one-time payment; `too_soon`: another one was removed in this period. */
export type Removal = "removed" | "not_transferable" | "too_soon" | "unknown";

/** Facts for the user before a URL is removed. */
export interface RemovalView {
  origin: string;
  planName: string;
  verdict: "possible" | "not_transferable" | "too_soon";
  /** Time when the next one may be removed; Unix time in ms. */
  periodEnd: number | null;
}

/** Removal of registered URLs by their owner. */
export function createUrlRemovals({ db }: { db: Db }) {
  return { removalOf, remove };

  /** Effect of removing a URL; undefined if it is not registered (any more), or belongs to another user. */
  async function removalOf(userId: string, id: number): Promise<RemovalView | undefined> {
    return db.transaction().execute(async (trx) => {
      const found = await removable(trx, userId, id);
      return found && { origin: found.origin, planName: found.planName, verdict: found.verdict, periodEnd: found.periodEnd };
    });
  }

  /** Removes a URL from a subscription; once in a period, so that several websites cannot share a subscription. */
  async function remove(userId: string, id: number, now = Date.now()): Promise<Removal> {
    return db.transaction().execute(async (trx) => {
      const found = await removable(trx, userId, id);
      if (!found) return "unknown";
      if (found.verdict !== "possible") return found.verdict;
      await trx.updateTable("registered_url").set({ removed_at: now }).where("id", "=", id).execute();
      await noteUrlChange(trx, found.purchaseId);
      return "removed";
    });
  }
}

/** Registered URL, and whether it may be removed: automatic removals (`freed_by`) do not count. */
async function removable(trx: Trx, userId: string, id: number) {
  const row = await trx
    .selectFrom("registered_url")
    .innerJoin("purchase", "purchase.id", "registered_url.purchase_id")
    .select([
      "registered_url.origin",
      "purchase.id as purchaseId",
      "purchase.kind",
      "purchase.plan_name as planName",
      "purchase.period_start as periodStart",
      "purchase.period_end as periodEnd",
    ])
    .where("registered_url.id", "=", id)
    .where("registered_url.removed_at", "is", null)
    .where("purchase.user_id", "=", userId)
    .executeTakeFirst();
  if (!row) return undefined;
  const earlier = await trx
    .selectFrom("registered_url")
    .select("id")
    .where("purchase_id", "=", row.purchaseId)
    .where("removed_at", ">=", row.periodStart ?? 0)
    .where("freed_by", "is", null)
    .executeTakeFirst();
  const verdict: RemovalView["verdict"] = row.kind === "payment" ? "not_transferable" : earlier ? "too_soon" : "possible";
  return { ...row, verdict };
}
