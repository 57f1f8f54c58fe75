import type { Db, Trx } from "db/schema";
import { limitOf, type Limited } from "~/billing/purchase-row.server";

/** Condition: registered and within the limit, also after a change to a smaller plan. */
export async function isCovered(trx: Trx, purchase: Limited & { id: string }, origin: string): Promise<boolean> {
  const registered = await trx
    .selectFrom("registered_url")
    .select("origin")
    .where("purchase_id", "=", purchase.id)
    .where("removed_at", "is", null)
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  return registered.slice(0, limitOf(purchase)).some((url) => url.origin === origin);
}

export async function isRegistered(trx: Trx, purchaseId: string, origin: string): Promise<boolean> {
  const row = await trx
    .selectFrom("registered_url")
    .select("id")
    .where("purchase_id", "=", purchaseId)
    .where("origin", "=", origin)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countOf(trx: Trx, purchaseId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("registered_url")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("purchase_id", "=", purchaseId)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

interface NewUrl {
  purchaseId: string;
  url: string;
  /** Unix time in ms. */
  at: number;
  /** Whether a run has checked a page of it. */
  checked: boolean;
}

export async function addUrl(trx: Trx, { purchaseId, url, at, checked }: NewUrl): Promise<void> {
  const { origin } = new URL(url);
  const row = { purchase_id: purchaseId, origin, url, added_at: at, checked_at: checked ? at : null };
  await trx.insertInto("registered_url").values(row).execute();
}

/** URLs of a purchase, in the order of registration. */
export async function urlsOf(db: Db, purchaseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("registered_url")
    .select("url")
    .where("purchase_id", "=", purchaseId)
    .where("removed_at", "is", null)
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  return rows.map(({ url }) => url);
}
