import type { Db, Trx } from "db/schema";

/** Limits of an account; null for the limit of the installation. */
export interface AccountLimits {
  /** Maximum number of waiting scans. */
  waiting: number | null;
  /** Maximum number of pages of a website. */
  pages: number | null;
}

/** Limits that an administrator has set for an account. @param owner null for visitors, who have no limits of their own */
export async function accountLimits(on: Db | Trx, owner: string | null): Promise<AccountLimits> {
  const row = await on.selectFrom("user").select(["most_waiting as waiting", "most_pages as pages"]).where("id", "=", owner).executeTakeFirst();
  return row ?? { waiting: null, pages: null };
}
