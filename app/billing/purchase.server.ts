import type { Insertable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { PurchaseTable } from "db/tables/billing";
import { givesMore } from "./plans/plan-entitlement";
import type { Purchases as Bought } from "./provider";
import type { Purchase } from "./purchase";
import { entitlesNow, limitOf, paymentRow, subscriptionRow, toPurchase } from "./purchase-row.server";
import { createReportPlans } from "./report-plans.server";
import { addUrl, countOf, isCovered, isRegistered, urlsOf } from "./websites/registered-url.server";
import { createUrlRemovals } from "./websites/url-removal.server";
import { hasFreedSlot, noteUrlChange, wasChecked } from "./websites/website-slot.server";

/** `present`: already registered; `full`: no purchase has room for it. */
export type Registration = "added" | "present" | "full";

interface RegisterOptions {
  more?: boolean;
  /** Unix time in ms. */
  now?: number;
}

export type PurchaseModel = ReturnType<typeof createPurchases>;

export function createPurchases({ db, log = () => {} }: { db: Db; log?: (message: string) => void }) {
  return {
    ...{ store, of, register, registerIn, covers, unwritten, written },
    ...createUrlRemovals({ db }),
    ...createReportPlans({ db }),
    hasFreedSlot: (runId: string) => hasFreedSlot(db, runId),
  };

  /** Stores all purchases of a user from the provider. */
  async function store(
    userId: string,
    { subscriptions, payments }: Pick<Bought, "subscriptions" | "payments">,
    now = Date.now(),
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const rows = [...subscriptions.map((each) => subscriptionRow(each, now)), ...payments.map(paymentRow)];
      for (const { urls, ...row } of rows) await storeOne(trx, { ...row, user_id: userId }, urls, now);
      let gone = trx
        .updateTable("purchase")
        .set((eb) => ({ status: "gone", ends_at: eb.fn.coalesce("ends_at", eb.val(now)) }))
        .where("user_id", "=", userId)
        .where("granted", "=", 0);
      if (rows.length > 0) gone = gone.where("id", "not in", rows.map(({ id }) => id));
      await gone.execute();
    });
  }

  /** Purchases that entitle to new scans first, then the others, the latest first. */
  async function of(userId: string, now = Date.now()): Promise<Purchase[]> {
    const rows = await db
      .selectFrom("purchase")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute();
    const urls = await db
      .selectFrom("registered_url")
      .innerJoin("purchase", "purchase.id", "registered_url.purchase_id")
      .selectAll("registered_url")
      .where("purchase.user_id", "=", userId)
      .where("registered_url.removed_at", "is", null)
      .orderBy("registered_url.added_at")
      .orderBy("registered_url.id")
      .execute();
    return rows
      .map((row) => toPurchase(row, urls.filter(({ purchase_id }) => purchase_id === row.id), now))
      .sort((one, other) => Number(other.entitles) - Number(one.entitles));
  }

  /**
   * Registers a URL's origin with a purchase that has room: a subscription, otherwise the oldest payment. Transaction:
   * limits are safe for concurrent requests.
   * @param more also registers a covered website with a larger purchase, if that has room
   */
  function register(userId: string, url: string, options: RegisterOptions = {}): Promise<Registration> {
    return db.transaction().execute((trx) => registerIn(trx, userId, url, options));
  }

  /** Registers in the caller's transaction. */
  async function registerIn(trx: Trx, userId: string, url: string, { more = false, now = Date.now() }: RegisterOptions): Promise<Registration> {
    const { origin } = new URL(url);
    const entitling = await entitlingPurchasesOf(trx, userId, now);
    const covering: typeof entitling = [];
    for (const purchase of entitling) if (await isCovered(trx, purchase, origin)) covering.push(purchase);
    if (covering.length > 0 && !more) return alreadyRegistered();
    const candidates = entitling.filter((purchase) => covering.every((other) => givesMore(purchase, other)));
    for (const purchase of covering.length > 0 ? candidates.toSorted((a, b) => (givesMore(a, b) ? -1 : 1)) : candidates) {
      if ((await countOf(trx, purchase.id)) >= limitOf(purchase)) continue;
      const checked = await wasChecked(trx, { owner: userId, origin });
      await addUrl(trx, { purchaseId: purchase.id, url, at: now, checked });
      await noteUrlChange(trx, purchase.id);
      return "added";
    }
    return covering.length > 0 ? alreadyRegistered() : "full";
  }

  function alreadyRegistered(): Registration {
    log("URL already exists in subscription metadata");
    return "present";
  }

  /** Whether a purchase of the user covers a URL's origin. */
  async function covers(userId: string, url: string): Promise<boolean> {
    const { origin } = new URL(url);
    const purchases = await of(userId);
    return purchases.some(({ entitles, urls }) => entitles && urls.some((each) => each.covered && each.origin === origin));
  }

  /** Purchases whose URLs are not yet written to the provider. */
  async function unwritten() {
    const rows = await db
      .selectFrom("purchase")
      .select(["id", "kind", "urls_version"])
      .whereRef("urls_version", ">", "urls_written")
      .where("status", "!=", "gone")
      .where("granted", "=", 0)
      .orderBy("id")
      .execute();
    return Promise.all(
      rows.map(async ({ id, kind, urls_version: version }) => ({ id, kind, version, urls: await urlsOf(db, id) })),
    );
  }

  async function written(id: string, version: number): Promise<void> {
    await db.updateTable("purchase").set({ urls_written: version }).where("id", "=", id).execute();
  }
}

async function storeOne(trx: Trx, row: Insertable<PurchaseTable>, urls: string[], now: number): Promise<void> {
  const known = await trx
    .selectFrom("purchase")
    .select(["ends_at", "url_limit", "unlimited"])
    .where("id", "=", row.id)
    .executeTakeFirst();
  if (known) {
    // The first stored end of a subscription stays; the end of a payment follows from the payment itself.
    const endsAt = row.ends_at == null || row.kind === "payment" ? row.ends_at : (known.ends_at ?? row.ends_at);
    const lowered = limitOf(row) < limitOf(known) ? { limit_lowered_at: now } : {};
    await trx.updateTable("purchase").set({ ...row, ends_at: endsAt, ...lowered }).where("id", "=", row.id).execute();
    return;
  }
  await trx.insertInto("purchase").values(row).execute();
  // Only for new purchases: later, our own list counts; the URLs of the provider come from an earlier database.
  for (const url of urls) {
    if (!URL.canParse(url) || (await isRegistered(trx, row.id, new URL(url).origin))) continue;
    await addUrl(trx, { purchaseId: row.id, url, at: row.created_at, checked: true });
  }
}

/** Order: subscriptions first, then payments; each with the oldest first. */
async function entitlingPurchasesOf(trx: Trx, userId: string, now: number) {
  return trx
    .selectFrom("purchase")
    .select(["id", "kind", "plan", "url_limit", "unlimited"])
    .where("user_id", "=", userId)
    .where(entitlesNow(now))
    .orderBy("kind", "desc")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}
