import type { Store } from "~/billing/demo/store/store";
import type { Checkout } from "./checkout";
import { expireSession } from "~/billing/demo/objects/checkout-sessions";
import { invoicesOf } from "~/billing/demo/objects/invoices";
import type { SubscriptionLifecycle } from "./subscription-lifecycle";
import { isRunning } from "~/billing/demo/objects/subscription-states";
import { itemOf } from "~/billing/demo/objects/subscriptions";

/** Time limit for the first payment of a subscription: https://docs.stripe.com/billing/subscriptions/overview */
const FIRST_PAYMENT_WITHIN_SECONDS = 23 * 3600;

/** States in which passing time can change something. */
const WAITING = ["active", "trialing", "past_due", "unpaid", "incomplete"];

export interface SchedulerOptions {
  store: Store;
  checkout: Checkout;
  life: SubscriptionLifecycle;
  /** In ms. */
  every?: number;
  log?: (problem: string, error: unknown) => void;
}

/** Carries out changes that depend only on time. */
export function createScheduler({ store, checkout, life, every = 1000, log }: SchedulerOptions) {
  let timer: NodeJS.Timeout | undefined;

  return {
    tick,
    start(): void {
      timer = setInterval(() => {
        try {
          tick();
        } catch (error) {
          log?.("The cashier's clock stands still", error);
        }
      }, every);
      timer.unref();
    },
    stop(): void {
      clearInterval(timer);
    },
  };

  function tick(): void {
    const now = store.seconds();
    checkout.settleDue();
    for (const session of store.withStatus("checkout.session", "open")) {
      if (session.expires_at <= now) store.change(() => expireSession(store, session.id));
    }
    for (const subscription of store.withStatus("subscription", ...WAITING)) {
      const { id, status, collection_method: method, created } = subscription;
      if (status === "incomplete" && created + FIRST_PAYMENT_WITHIN_SECONDS <= now) store.change(() => life.expire(id));
      if (isRunning(subscription) && itemOf(subscription).current_period_end <= now) store.change(() => life.renew(id));
      if (method === "send_invoice") {
        const invoices = invoicesOf(store, subscription);
        const isDue = invoices.some(({ automatically_finalizes_at: at }) => at !== null && at <= now);
        if (isDue) store.change(() => life.sendDrafts(id));
        const isLate = invoices.some((each) => each.status === "open" && (each.due_date ?? now) < now);
        if (isLate && status === "active") store.change(() => life.setStatus(id, "past_due"));
      }
      const { resumes_at: resumesAt } = subscription.pause_collection ?? {};
      if (resumesAt && resumesAt <= now) {
        const event = "customer.subscription.updated";
        store.change(() => store.update("subscription", id, (draft) => void (draft.pause_collection = null), event));
      }
    }
  }
}
