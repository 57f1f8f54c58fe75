import type { Db } from "db/schema";
import { entitlesNow } from "./purchase-row.server";

export interface EntitlementsOptions {
  db: Db;
  /** Every signed-in user may do everything (`BILLING=off`, or scans that are given away). */
  open: boolean;
}

export type Entitlements = ReturnType<typeof createEntitlements>;

/** Which users may use paid features. */
export function createEntitlements({ db, open }: EntitlementsOptions) {
  const purchasesOf = (userId: string) => db.selectFrom("purchase").select("id").where("user_id", "=", userId);
  return {
    /** Does a purchase of the user cover new scans now? */
    async isEntitled(userId: string, now = Date.now()): Promise<boolean> {
      return open || (await purchasesOf(userId).where(entitlesNow(now)).executeTakeFirst()) !== undefined;
    },

    /**
     * Does the user have a purchase, current or past, that was paid for and not refunded, or used trial scans? Its reports stay
     * readable, also when trials are no longer offered.
     */
    async wasEntitled(userId: string): Promise<boolean> {
      if (open || (await purchasesOf(userId).where("grants", "=", 1).executeTakeFirst()) !== undefined) return true;
      const tried = db.selectFrom("user").select("id").where("id", "=", userId).where("trial_scans", ">", 0);
      return (await tried.executeTakeFirst()) !== undefined;
    },
  };
}
