import type { Selectable } from "kysely";
import type { Database, Db, Trx } from "db/schema";
import { DAY_MS } from "~/platform/durations";
import type { Fulfilments, FulfilmentRequest, FulfilmentResult } from "./fulfilment";
import type { Checkout } from "./provider";

/** Retry period for an order whose URL has no room yet: an invoice may be paid late. */
const UNFULFILLED_MS = 45 * DAY_MS;

interface OrderFulfilmentOptions {
  db: Db;
  fulfilments: Fulfilments;
  /** State of an order at the provider. @throws {ProviderUnavailable} */
  stateOf: (way: Selectable<Database["checkout_order"]>["way"], id: string) => Promise<Checkout>;
}

/** Fulfilment of a paid order. */
export function createOrderFulfilment({ db, fulfilments, stateOf }: OrderFulfilmentOptions) {
  return { fulfil };

  /** Delivers website, result and scan of paid orders. */
  async function fulfil(userId: string): Promise<void> {
    const orders = await db
      .selectFrom("checkout_order")
      .select(["id", "url", "check_id", "checkout_id", "way", "created_at"])
      .where("user_id", "=", userId)
      .where("fulfilled_at", "is", null)
      .where("given_back_at", "is", null)
      .where("checkout_id", "is not", null)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    for (const { id, url, check_id: checkId, checkout_id, way, created_at: since } of orders) {
      const checkout = await stateOf(way, checkout_id ?? "");
      if (checkout.status === "open" || (checkout.status === "complete" && !checkout.paid)) continue;
      if (!checkout.paid || url === null) {
        await conclude(db, id, null);
        continue;
      }
      const done = await fulfilOnce(userId, id, { url, checkId, since });
      // The purchase may not entitle yet, although the order is paid: a later event tries again.
      if (done === null && since > Date.now() - UNFULFILLED_MS) continue;
      await conclude(db, id, done?.scanId ?? null);
    }
  }

  /** Fulfils an order once. Safe for concurrent servers: only one of them starts the scan. */
  async function fulfilOnce(userId: string, orderId: string, wanted: FulfilmentRequest): Promise<FulfilmentResult | null> {
    try {
      return await fulfilments.fulfil(userId, wanted, async (trx, scanId) => {
        if (!(await conclude(trx, orderId, scanId))) throw new AlreadyFulfilled();
      });
    } catch (error) {
      if (error instanceof AlreadyFulfilled) return { scanId: null };
      throw error;
    }
  }

  /** Marks an order as fulfilled. @returns false if it already was */
  async function conclude(on: Db | Trx, orderId: string, scanId: string | null): Promise<boolean> {
    const { numUpdatedRows } = await on
      .updateTable("checkout_order")
      .set({ fulfilled_at: Date.now(), run_id: scanId })
      .where("id", "=", orderId)
      .where("fulfilled_at", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}

/** Another process has started the order's scan. */
class AlreadyFulfilled extends Error {}
