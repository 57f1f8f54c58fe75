import type { Db } from "db/schema";
import { entitlesNow } from "./purchase-row.server";

export interface EntitlementsOptions {
  db: Db;
  /** Whether every signed-in user has all features (`BILLING=off`, or free scans). */
  open: boolean;
}

export type Entitlements = ReturnType<typeof createEntitlements>;

/** Users' entitlement to paid features. */
export function createEntitlements({ db, open }: EntitlementsOptions) {
  const purchasesOf = (userId: string) => db.selectFrom("purchase").select("id").where("user_id", "=", userId);
  return {
    /** Whether a purchase of the user covers new scans now. */
    async isEntitled(userId: string, now = Date.now()): Promise<boolean> {
      return open || (await purchasesOf(userId).where(entitlesNow(now)).executeTakeFirst()) !== undefined;
    },

    /**
     * Whether the user has a paid and not refunded purchase, current or past, or used trial scans. Its reports stay
     * readable, also if trials are no longer offered.
     */
    async wasEntitled(userId: string): Promise<boolean> {
      if (open || (await purchasesOf(userId).where("grants", "=", 1).executeTakeFirst()) !== undefined) return true;
      const tried = db.selectFrom("user").select("id").where("id", "=", userId).where("trial_scans", ">", 0);
      return (await tried.executeTakeFirst()) !== undefined;
    },
  };
}
