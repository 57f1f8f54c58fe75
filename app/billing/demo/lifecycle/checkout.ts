import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { decide, GENERIC_DECLINE, type Decline } from "~/billing/demo/objects/cards";
import { detailsOf } from "~/billing/demo/objects/checkout-sessions";
import { createCustomer } from "~/billing/demo/objects/customers";
import { newId } from "~/billing/demo/protocol/identifier";
import { issuePaidInvoice } from "~/billing/demo/objects/invoices";
import { idOf, type CardOutcome } from "~/billing/demo/store/objects";
import { addCard, makeDefault } from "~/billing/demo/objects/payment-methods";
import { attempt, decline, openIntent, succeed } from "~/billing/demo/objects/payments";
import type { SubscriptionLifecycle } from "./subscription-lifecycle";
import { openSubscription } from "~/billing/demo/objects/subscriptions";

type Session = Stripe.Checkout.Session;

/** Valid input from the checkout page. */
export interface Payer {
  email: string | null;
  last4: string;
  month: number;
  year: number;
  outcome: CardOutcome;
}

export type CheckoutResult = { is: "complete"; session: Session } | { is: "declined"; decline: Decline } | { is: "gone" };

export interface CheckoutOptions {
  store: Store;
  life: SubscriptionLifecycle;
  /** Delay until a pending payment is decided. */
  settlesAfterMs: number;
  publicUrl: string;
}

export type Checkout = ReturnType<typeof createCheckout>;

/** Pays checkout sessions. */
export function createCheckout({ store, life, settlesAfterMs, publicUrl }: CheckoutOptions) {
  return { pay, settle, settleDue };

  /** Idempotent: a complete session stays unchanged. */
  function pay(id: string, payer: Payer): CheckoutResult {
    return store.change(() => {
      const session = store.get("checkout.session", id);
      if (session.status === "complete") return { is: "complete", session };
      if (session.status !== "open" || session.expires_at <= store.seconds()) return { is: "gone" };
      return session.mode === "subscription" ? subscribe(session, payer) : payOnce(session, payer);
    });
  }

  function payOnce(session: Session, payer: Payer): CheckoutResult {
    const { paymentIntent = { metadata: {}, description: null } } = store.notes("checkout.session", session.id);
    const customer = customerFor(session, payer);
    const method = addCard(store, { ...payer, customer });
    const intent = idOf(session.payment_intent) ?? open();
    const tried = attempt(store, intent, method.id, { isFirst: true, settlesAfterMs });
    if (tried.result === "declined") return { is: "declined", decline: tried.decline ?? GENERIC_DECLINE };
    if (tried.result === "pending") return complete(session.id, payer, { customer, payment_status: "unpaid" });
    return complete(session.id, payer, { customer, payment_status: "paid", invoice: invoiceAfter(session.id, customer, intent) });

    function open(): string {
      const { amount_total: amount, currency } = session;
      const opened = openIntent(store, { amount: amount ?? 0, currency: currency ?? "eur", customer, ...paymentIntent });
      store.note("payment_intent", opened.id, { session: session.id });
      store.update("checkout.session", session.id, (draft) => Object.assign(draft, { payment_intent: opened.id }));
      return opened.id;
    }
  }

  /** Invoice for the payment just made, if the session asks for one. @returns its id */
  function invoiceAfter(sessionId: string, customer: string | null, intent: string): string | null {
    const { invoice_creation: wanted, currency } = store.get("checkout.session", sessionId);
    if (!wanted?.enabled || customer === null) return null;
    const { lines = [] } = store.notes("checkout.session", sessionId);
    const now = store.seconds();
    return issuePaidInvoice(store, {
      customer,
      intent,
      currency: currency ?? "eur",
      description: wanted.invoice_data.description,
      lines: lines.map(({ amount, quantity, description, price }) => {
        const product = idOf(store.get("price", price).product) ?? "";
        return { amount, quantity, description, price, product, item: newId("ii"), start: now, end: now };
      }),
      publicUrl,
    }).id;
  }

  function subscribe(session: Session, payer: Payer): CheckoutResult {
    const { lines: [line] = [], subscription: data } = store.notes("checkout.session", session.id);
    if (!line) return { is: "gone" };
    const decision = decide(payer.outcome, true);
    // A declined card creates neither customer nor subscription.
    if (decision.is === "declined") return { is: "declined", decline: decision.decline };
    const customer = customerFor(session, payer) ?? createCustomer(store, { email: payer.email ?? undefined }).id;
    const method = addCard(store, { ...payer, customer });
    const { id } = openSubscription(store, {
      customer,
      price: line.price,
      quantity: line.quantity,
      currency: session.currency ?? undefined,
      collectionMethod: "charge_automatically",
      daysUntilDue: null,
      paymentMethod: method.id,
      trialDays: data?.trialDays ?? 0,
      description: data?.description ?? null,
      metadata: data?.metadata ?? {},
    });
    makeDefault(store, customer, method.id);
    const result = life.firstInvoice(id, method.id);
    const { latest_invoice: invoice } = store.get("subscription", id);
    const { paymentIntent } = store.notes("invoice", idOf(invoice) ?? "");
    if (paymentIntent) store.note("payment_intent", paymentIntent, { session: session.id });
    return complete(session.id, payer, {
      customer,
      subscription: id,
      invoice: idOf(invoice),
      payment_status: result === "pending" ? "unpaid" : session.amount_total === 0 ? "no_payment_required" : "paid",
    });
  }

  function customerFor(session: Session, payer: Payer): string | null {
    const known = idOf(session.customer);
    if (known !== null || session.customer_creation !== "always") return known;
    const { id } = createCustomer(store, { email: payer.email ?? session.customer_email ?? undefined });
    // A second attempt uses the same customer.
    store.update("checkout.session", session.id, (draft) => Object.assign(draft, { customer: id }));
    return id;
  }

  function complete(id: string, payer: Payer, result: Partial<Session>): CheckoutResult {
    const session = store.update(
      "checkout.session",
      id,
      (draft) => {
        const email = draft.customer_details?.email ?? draft.customer_email ?? payer.email;
        const details = { ...detailsOf(email), name: draft.customer_details?.name ?? null };
        Object.assign(draft, { ...result, status: "complete", url: null, customer_details: details });
      },
      "checkout.session.completed",
    );
    return { is: "complete", session };
  }

  /** Decides payments whose pending time is over. @returns how many */
  function settleDue(): number {
    const due = store
      .withStatus("payment_intent", "processing")
      .filter(({ id }) => (store.notes("payment_intent", id).settlesAt ?? 0) <= store.now());
    for (const { id } of due) store.change(() => settle(id));
    return due.length;
  }

  /** Decides a pending payment. */
  function settle(intentId: string): void {
    const intent = store.get("payment_intent", intentId);
    const { willSucceed = true, invoice, session } = store.notes("payment_intent", intentId);
    const method = idOf(intent.payment_method) ?? "";
    if (willSucceed) succeed(store, intentId, method);
    else decline(store, intentId, method, GENERIC_DECLINE);
    if (invoice) life.settled(invoice, willSucceed);
    if (!session) return;
    if (!willSucceed) return store.emit("checkout.session.async_payment_failed", store.get("checkout.session", session));
    const event = "checkout.session.async_payment_succeeded";
    const customer = idOf(store.get("checkout.session", session).customer);
    const paid = { payment_status: "paid", ...(invoice ? {} : { invoice: invoiceAfter(session, customer, intentId) }) };
    store.update("checkout.session", session, (draft) => Object.assign(draft, paid), event);
  }
}
