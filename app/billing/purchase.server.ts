import type { ExpressionBuilder, Insertable, Selectable } from "kysely";
import type { Database, Db, PurchaseTable, RegisteredUrlTable, Trx } from "db/schema";
import type { ProviderPayment, ProviderSubscription, Purchases as Bought } from "./provider";
import { givesMore } from "./plans/plan-entitlement";
import type { PlanKey } from "./plans/plans";
import { entitlesToReport, paymentEnd, paymentWasPaid, subscriptionEntitles, subscriptionWasPaid } from "./purchase-entitlement";
import { hasFreedSlot, noteUrlChange, wasChecked } from "./websites/website-slot.server";

/** A purchase and its coverage. Times are Unix time in ms, amounts in cents. */
export interface Purchase {
  id: string;
  kind: "subscription" | "payment";
  /** The provider's status; `gone` if it does not know it any more. */
  status: string;
  /** It entitles to new scans, of registered websites, now. */
  entitles: boolean;
  /** Paid for and not refunded: what it covered stays readable. */
  paidFor: boolean;
  /** From when on it covers nothing new; null until further notice. */
  endsAt: number | null;
  plan: PlanKey;
  /** The product's display name. */
  planName: string;
  /** Null for any number. */
  urlLimit: number | null;
  amount: number;
  currency: string;
  createdAt: number;
  periodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** A subscription that is not charged to a card. */
  byInvoice: boolean;
  /** By the operator, without payment. */
  granted: boolean;
  urls: RegisteredUrl[];
}

interface RegisteredUrl {
  id: number;
  origin: string;
  url: string;
  addedAt: number;
  /** Within the limit: with a smaller plan, the ones that were registered first. */
  covered: boolean;
}

/** `present`: was there already; `full`: no purchase has room for it. */
export type Registration = "added" | "present" | "full";
/** `not_transferable`: it was bought with a one-time payment; `too_soon`: another one was removed in this period. */
export type Removal = "removed" | "not_transferable" | "too_soon" | "unknown";

/** Facts for the user before a URL is removed. */
export interface RemovalView {
  origin: string;
  planName: string;
  verdict: "possible" | "not_transferable" | "too_soon";
  /** When the next one may be removed; Unix time in ms. */
  periodEnd: number | null;
}
/** Condition for rows of `purchase` that entitle to new scans now; `entitles` of a `Purchase` is the same. */
export const entitlesNow = (now: number) => (eb: ExpressionBuilder<Database, "purchase">) =>
  eb.and([
    eb("grants", "=", 1),
    eb("status", "!=", "gone"),
    eb.or([eb("ends_at", "is", null), eb("ends_at", ">", now)]),
  ]);

export type PurchaseModel = ReturnType<typeof createPurchases>;

export function createPurchases({ db }: { db: Db }) {
  return { store, of, register, removalOf, remove, hasFreedSlot: (runId: string) => hasFreedSlot(db, runId), covers, isEntitledToReport, plansForReport, unwritten, written };

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

  /** Purchases that entitle to new scans first; then the latest first. */
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
   * Registers a URL's origin where there is room: with a subscription, else with the oldest payment that has some. Transaction:
   * limits hold for concurrent requests.
   * @param more also registers a covered website with a purchase that gives more, if that has room
   */
  async function register(userId: string, url: string, { more = false, now = Date.now() } = {}): Promise<Registration> {
    const { origin } = new URL(url);
    return db.transaction().execute(async (trx) => {
      const entitling = await entitlingPurchasesOf(trx, userId, now);
      const covering: typeof entitling = [];
      for (const purchase of entitling) if (await isCovered(trx, purchase, origin)) covering.push(purchase);
      if (covering.length > 0 && !more) return "present";
      const candidates = entitling.filter((purchase) => covering.every((other) => givesMore(purchase, other)));
      for (const purchase of covering.length > 0 ? candidates.toSorted((a, b) => (givesMore(a, b) ? -1 : 1)) : candidates) {
        if ((await countOf(trx, purchase.id)) >= limitOf(purchase)) continue;
        const checked = await wasChecked(trx, { owner: userId, origin });
        await add(trx, { purchaseId: purchase.id, url, at: now, checked });
        await noteUrlChange(trx, purchase.id);
        return "added";
      }
      return covering.length > 0 ? "present" : "full";
    });
  }

  /** The effect of removing a URL; undefined if it is not registered (any more), or belongs to another user. */
  async function removalOf(userId: string, id: number): Promise<RemovalView | undefined> {
    return db.transaction().execute(async (trx) => {
      const found = await removable(trx, userId, id);
      return found && { origin: found.origin, planName: found.planName, verdict: found.verdict, periodEnd: found.periodEnd };
    });
  }

  /** Removes a URL from a subscription; once in a period, so that a subscription cannot be passed around. */
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

  /** Is a URL's origin covered by a purchase of the user? */
  async function covers(userId: string, url: string): Promise<boolean> {
    const { origin } = new URL(url);
    const purchases = await of(userId);
    return purchases.some(({ entitles, urls }) => entitles && urls.some((each) => each.covered && each.origin === origin));
  }

  /** May the full report of a run be read? */
  async function isEntitledToReport(userId: string, run: { url: string; createdAt: number }): Promise<boolean> {
    return (await plansForReport(userId, run)).length > 0;
  }

  /** The plans by which the full report of a run may be read. The rule is `entitlesToReport`. */
  async function plansForReport(userId: string, { url, createdAt }: { url: string; createdAt: number }): Promise<PlanKey[]> {
    const { origin } = new URL(url);
    const rows = await db
      .selectFrom("registered_url")
      .innerJoin("purchase", "purchase.id", "registered_url.purchase_id")
      .select((eb) => [
        "registered_url.removed_at",
        "purchase.plan",
        "purchase.ends_at",
        "purchase.url_limit",
        "purchase.unlimited",
        "purchase.limit_lowered_at",
        eb
          .selectFrom("registered_url as earlier")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .whereRef("earlier.purchase_id", "=", "registered_url.purchase_id")
          .where("earlier.removed_at", "is", null)
          .where((earlier) =>
            earlier.or([
              earlier("earlier.added_at", "<", earlier.ref("registered_url.added_at")),
              earlier.and([
                earlier("earlier.added_at", "=", earlier.ref("registered_url.added_at")),
                earlier("earlier.id", "<", earlier.ref("registered_url.id")),
              ]),
            ]),
          )
          .as("before"),
      ])
      .where("purchase.user_id", "=", userId)
      .where("purchase.grants", "=", 1)
      .where("registered_url.origin", "=", origin)
      .where("registered_url.freed_by", "is", null)
      .execute();
    const coverageOf = (row: (typeof rows)[number]) => ({
      removedAt: row.removed_at,
      endsAt: row.ends_at,
      excludedAt: row.removed_at === null && Number(row.before) >= limitOf(row) ? (row.limit_lowered_at ?? 0) : null,
    });
    return rows.filter((row) => entitlesToReport([coverageOf(row)], { createdAt })).map(({ plan }) => plan);
  }

  /** Purchases whose URLs are not yet written to the provider. */
  async function unwritten() {
    const rows = await db
      .selectFrom("purchase")
      .select(["id", "kind", "urls_version"])
      .whereRef("urls_version", ">", "urls_written")
      .where("status", "!=", "gone")
      .where("granted", "=", 0)
      .execute();
    return Promise.all(
      rows.map(async ({ id, kind, urls_version: version }) => ({ id, kind, version, urls: await urlsOf(id) })),
    );
  }

  async function written(id: string, version: number): Promise<void> {
    await db.updateTable("purchase").set({ urls_written: version }).where("id", "=", id).execute();
  }

  async function urlsOf(purchaseId: string): Promise<string[]> {
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
}

/** A registered URL, and whether it may be removed: automatic removals (`freed_by`) do not count. */
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

type PurchaseRow = Omit<Insertable<PurchaseTable>, "user_id"> & { urls: string[] };

function subscriptionRow(bought: ProviderSubscription, now: number): PurchaseRow {
  return {
    ...commonRow(bought),
    kind: "subscription",
    status: bought.status,
    grants: subscriptionWasPaid(bought) ? 1 : 0,
    ends_at: subscriptionEntitles(bought) ? null : now,
    period_start: bought.periodStart,
    period_end: bought.periodEnd,
    cancel_at_period_end: bought.cancelAtPeriodEnd ? 1 : 0,
    by_invoice: bought.byInvoice ? 1 : 0,
    paused: bought.paused ? 1 : 0,
    refunded: null,
  };
}

function paymentRow(bought: ProviderPayment): PurchaseRow {
  return {
    ...commonRow(bought),
    kind: "payment",
    status: bought.status,
    grants: paymentWasPaid(bought) ? 1 : 0,
    ends_at: paymentEnd(bought),
    paid_at: bought.paidAt,
    period_start: null,
    period_end: null,
    refunded: bought.refunded,
    disputed: bought.disputed ? 1 : 0,
  };
}

function commonRow({ id, plan, planName, urlLimit, amount, currency, createdAt, urls }: ProviderSubscription | ProviderPayment) {
  const limit = { url_limit: urlLimit ?? 0, unlimited: urlLimit === null ? (1 as const) : (0 as const) };
  return { id, plan, plan_name: planName, ...limit, amount, currency, created_at: createdAt, urls };
}

async function storeOne(trx: Trx, row: Insertable<PurchaseTable>, urls: string[], now: number): Promise<void> {
  const known = await trx
    .selectFrom("purchase")
    .select(["ends_at", "url_limit", "unlimited"])
    .where("id", "=", row.id)
    .executeTakeFirst();
  if (known) {
    // The first stored end stays.
    const endsAt = row.ends_at == null ? null : (known.ends_at ?? row.ends_at);
    const lowered = limitOf(row) < limitOf(known) ? { limit_lowered_at: now } : {};
    await trx.updateTable("purchase").set({ ...row, ends_at: endsAt, ...lowered }).where("id", "=", row.id).execute();
    return;
  }
  await trx.insertInto("purchase").values(row).execute();
  // Afterwards our own list counts; the URLs of the provider come from an earlier database.
  for (const url of urls) {
    if (!URL.canParse(url) || (await isRegistered(trx, row.id, new URL(url).origin))) continue;
    await add(trx, { purchaseId: row.id, url, at: row.created_at, checked: true });
  }
}

/** Subscriptions first, then payments; of each, the oldest first. */
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

/** Registered, and within the limit, also after a change to a smaller plan. */
async function isCovered(trx: Trx, purchase: Limited & { id: string }, origin: string): Promise<boolean> {
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

async function isRegistered(trx: Trx, purchaseId: string, origin: string): Promise<boolean> {
  const row = await trx
    .selectFrom("registered_url")
    .select("id")
    .where("purchase_id", "=", purchaseId)
    .where("origin", "=", origin)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

async function countOf(trx: Trx, purchaseId: string): Promise<number> {
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
  /** A run has checked a page of it. */
  checked: boolean;
}

async function add(trx: Trx, { purchaseId, url, at, checked }: NewUrl): Promise<void> {
  const { origin } = new URL(url);
  const row = { purchase_id: purchaseId, origin, url, added_at: at, checked_at: checked ? at : null };
  await trx.insertInto("registered_url").values(row).execute();
}

interface Limited {
  url_limit: number;
  unlimited?: 0 | 1;
}

const limitOf = ({ url_limit, unlimited }: Limited) => (unlimited === 1 ? Infinity : url_limit);

function toPurchase(row: Selectable<PurchaseTable>, urls: Selectable<RegisteredUrlTable>[], now: number): Purchase {
  const paidFor = row.grants === 1;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    entitles: paidFor && row.status !== "gone" && (row.ends_at === null || row.ends_at > now),
    paidFor,
    endsAt: row.ends_at,
    plan: row.plan,
    planName: row.plan_name,
    urlLimit: row.unlimited === 1 ? null : row.url_limit,
    amount: row.amount,
    currency: row.currency,
    createdAt: row.created_at,
    periodEnd: row.period_end,
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    byInvoice: row.by_invoice === 1,
    granted: row.granted === 1,
    urls: urls.map(({ id, origin, url, added_at }, index) => ({
      id,
      origin,
      url,
      addedAt: added_at,
      covered: index < limitOf(row),
    })),
  };
}
