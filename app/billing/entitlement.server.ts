import type { Db } from "db/schema";
import { coversNow } from "./purchase.server";

export interface EntitlementsOptions {
  db: Db;
  /** Everybody who is signed in may do everything (`BILLING=off`, or scans that are given away). */
  open: boolean;
}

export type Entitlements = ReturnType<typeof createEntitlements>;

/** Who may use what is paid for. */
export function createEntitlements({ db, open }: EntitlementsOptions) {
  const purchasesOf = (userId: string) => db.selectFrom("purchase").select("id").where("user_id", "=", userId);
  return {
    /** Has somebody something now that covers new scans? */
    async isEntitled(userId: string, now = Date.now()): Promise<boolean> {
      return open || (await purchasesOf(userId).where(coversNow(now)).executeTakeFirst()) !== undefined;
    },

    /** Has somebody now, or ever had, what was paid for and not given back? What it covered stays readable. */
    async hasBought(userId: string): Promise<boolean> {
      return open || (await purchasesOf(userId).where("grants", "=", 1).executeTakeFirst()) !== undefined;
    },
  };
}
