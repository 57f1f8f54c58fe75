import type { Db, Trx } from "db/schema";

/** Null: the limit of the installation. */
export interface AccountLimits {
  /** The most waiting scans. */
  waiting: number | null;
  /** The most pages of a website. */
  pages: number | null;
}

/** What an administrator has set for an account. @param owner null for visitors, who have no limits of their own */
export async function accountLimits(on: Db | Trx, owner: string | null): Promise<AccountLimits> {
  const row = await on.selectFrom("user").select(["most_waiting as waiting", "most_pages as pages"]).where("id", "=", owner).executeTakeFirst();
  return row ?? { waiting: null, pages: null };
}
