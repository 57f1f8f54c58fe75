import type { Db } from "db/schema";

export interface EntitlementsOptions {
  db: Db;
  /** Everybody who is signed in may do everything (`BILLING=off`, or scans that are given away). */
  open: boolean;
}

export type Entitlements = ReturnType<typeof createEntitlements>;

/** Who may use what is paid for. */
export function createEntitlements({ db, open }: EntitlementsOptions) {
  return {
    async isEntitled(userId: string): Promise<boolean> {
      if (open) return true;
      const row = await db
        .selectFrom("purchase")
        .select("id")
        .where("user_id", "=", userId)
        .where("grants", "=", 1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
