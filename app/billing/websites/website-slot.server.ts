import { sql } from "kysely";
import type { Db, Trx } from "db/schema";

/** Website of a registration, and its owner. */
interface Website {
  owner: string;
  /** Origin: scheme and host. */
  origin: string;
}

/**
 * Updates the slot of a website after a run: a website with a checked page keeps its slot in its owner's purchase; one without
 * any checked page since its registration frees it. That does not count as a removal.
 * @param at Unix time in ms
 */
export async function settleSlot(trx: Trx, runId: string, at: number): Promise<void> {
  const run = await trx
    .selectFrom("run")
    .select(["owner", "url", "status", "pages", "failed_pages"])
    .where("id", "=", runId)
    .executeTakeFirst();
  if (!run || run.owner === null) return;
  const website = { owner: run.owner, origin: new URL(run.url).origin };
  if (run.pages > run.failed_pages) return keepSlot(trx, website, at);
  if (run.status === "failed" && !(await mayStillBeChecked(trx, website))) await freeSlot(trx, website, runId, at);
}

/** Whether a run has ever checked a page of a website. Stored with the registration, as runs may be deleted. */
export async function wasChecked(trx: Trx, { owner, origin }: Website): Promise<boolean> {
  const run = await ownRunsOf(trx, { owner, origin }).select("id").whereRef("pages", ">", "failed_pages").executeTakeFirst();
  return run !== undefined;
}

/** Whether this run has freed its website's slot, without a new registration since then. */
export async function hasFreedSlot(db: Db, runId: string): Promise<boolean> {
  const row = await db
    .selectFrom("registered_url as freed")
    .innerJoin("purchase", "purchase.id", "freed.purchase_id")
    .select("freed.id")
    .where("freed.freed_by", "=", runId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("registered_url as taken")
            .innerJoin("purchase as other", "other.id", "taken.purchase_id")
            .select("taken.id")
            .whereRef("other.user_id", "=", "purchase.user_id")
            .whereRef("taken.origin", "=", "freed.origin")
            .where("taken.removed_at", "is", null),
        ),
      ),
    )
    .executeTakeFirst();
  return row !== undefined;
}

async function keepSlot(trx: Trx, { owner, origin }: Website, at: number): Promise<void> {
  await trx
    .updateTable("registered_url")
    .set({ checked_at: at })
    .where("origin", "=", origin)
    .where("checked_at", "is", null)
    .where("purchase_id", "in", (eb) => eb.selectFrom("purchase").select("purchase.id").where("purchase.user_id", "=", owner))
    .execute();
}

/** Whether there is a report, or a run that may still create one. */
async function mayStillBeChecked(trx: Trx, website: Website): Promise<boolean> {
  const underWay = await ownRunsOf(trx, website).select("id").where("status", "in", ["queued", "running"]).executeTakeFirst();
  return underWay !== undefined || wasChecked(trx, website);
}

async function freeSlot(trx: Trx, { owner, origin }: Website, runId: string, at: number): Promise<void> {
  const freed = await trx
    .updateTable("registered_url")
    .set({ removed_at: at, freed_by: runId })
    .where("origin", "=", origin)
    .where("checked_at", "is", null)
    .where("removed_at", "is", null)
    .where("purchase_id", "in", (eb) => eb.selectFrom("purchase").select("purchase.id").where("purchase.user_id", "=", owner))
    .returning("purchase_id")
    .execute();
  for (const { purchase_id } of freed) await noteUrlChange(trx, purchase_id);
}

/** Marks the URLs for writing to the provider. */
export async function noteUrlChange(trx: Trx, purchaseId: string): Promise<void> {
  await trx
    .updateTable("purchase")
    .set((eb) => ({ urls_version: eb("urls_version", "+", 1) }))
    .where("id", "=", purchaseId)
    .execute();
}

/** Runs of a website, also discarded ones. URLs are normalised: all of one origin have the same prefix. */
export function ownRunsOf(db: Db | Trx, { owner, origin }: Website) {
  const start = `${origin}/`;
  return db
    .selectFrom("run")
    .where("owner", "=", owner)
    .where(sql<string>`substr(url, 1, ${start.length})`, "=", start);
}
