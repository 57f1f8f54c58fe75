import { decide, GENERIC_DECLINE, type Decline } from "~/billing/demo/objects/cards";
import { issuePaidInvoice, paymentOf } from "~/billing/demo/objects/invoices";
import { addCard, makeDefault, type Card } from "~/billing/demo/objects/payment-methods";
import { attempt, decline, openIntent, succeed } from "~/billing/demo/objects/payments";
import { openSubscription } from "~/billing/demo/objects/subscriptions";
import { newId } from "~/billing/demo/protocol/identifier";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { firstInvoice, settled } from "./subscription-lifecycle";

type Session = Objects["checkout.session"];

export const isOpen = (store: Store, { status, expires_at: end }: Session) => status === "open" && end > store.seconds();

/** Pays an open checkout session; others stay unchanged. @returns the bank's reason if the card is declined */
export function payCheckout(store: Store, id: string, card: Card): Decline | null {
  return store.change(() => {
    const session = store.get("checkout.session", id);
    if (!isOpen(store, session)) return null;
    return session.mode === "subscription" ? subscribe(store, session, card) : payOnce(store, session, card);
  });
}

function payOnce(store: Store, session: Session, card: Card): Decline | null {
  const method = addCard(store, session.customer, card);
  const intent = session.payment_intent ?? openPayment(store, session);
  const tried = attempt(store, intent, method, true);
  if (tried.result === "declined") return tried.decline;
  const isPaid = tried.result === "paid";
  complete(store, session.id, isPaid ? { payment_status: "paid", invoice: invoiceAfter(store, session, intent) } : {});
  return null;
}

function openPayment(store: Store, { id, amount_total, currency, customer }: Session): string {
  const { paymentIntent: { metadata } = { metadata: {} } } = store.notes("checkout.session", id);
  const intent = openIntent(store, { amount: amount_total ?? 0, currency: currency ?? "eur", customer, metadata, description: null });
  store.note("payment_intent", intent.id, { session: id });
  store.update("checkout.session", id, (draft) => void (draft.payment_intent = intent.id));
  return intent.id;
}

/** Invoice for a completed payment, if the session requests one. @returns its id */
function invoiceAfter(store: Store, { id, invoice_creation: wanted, currency, customer }: Session, intent: string): string | null {
  if (!wanted?.enabled) return null;
  const { lines = [] } = store.notes("checkout.session", id);
  const now = store.seconds();
  return issuePaidInvoice(store, intent, {
    customer,
    currency: currency ?? "eur",
    description: wanted.invoice_data.description,
    lines: lines.map(({ amount, description, price }) => {
      const { product } = store.get("price", price);
      return { amount, description, price, product, item: newId("ii"), start: now, end: now };
    }),
  });
}

function subscribe(store: Store, session: Session, card: Card): Decline | null {
  const decision = decide(card.outcome, true);
  // A declined card creates no subscription.
  if (decision.is === "declined") return decision.decline;
  const { lines: [line] = [], subscription: { metadata } = { metadata: {} } } = store.notes("checkout.session", session.id);
  const { customer } = session;
  const method = addCard(store, customer, card);
  const { id } = openSubscription(store, {
    customer,
    price: line?.price ?? "",
    currency: session.currency ?? undefined,
    collectionMethod: "charge_automatically",
    daysUntilDue: null,
    paymentMethod: method,
    metadata,
  });
  makeDefault(store, customer, method);
  const result = firstInvoice(store, id);
  const { latest_invoice: invoice } = store.get("subscription", id);
  const intent = paymentOf(store, invoice);
  if (intent) store.note("payment_intent", intent.id, { session: session.id });
  complete(store, session.id, { subscription: id, invoice, payment_status: result === "pending" ? "unpaid" : "paid" });
  return null;
}

function complete(store: Store, id: string, result: Partial<Session>): void {
  const done = { ...result, status: "complete", url: null };
  store.update("checkout.session", id, (draft) => Object.assign(draft, done), "checkout.session.completed");
}

/** Decides pending payments made before a time, in Unix ms. */
export function settleUntil(store: Store, time: number): void {
  for (const { id } of store.withStatus("payment_intent", "processing")) {
    if ((store.notes("payment_intent", id).pendingSince ?? 0) <= time) store.change(() => settle(store, id));
  }
}

/** Decides a pending payment. */
export function settle(store: Store, intentId: string): void {
  const { willSucceed = true, invoice, session: sessionId } = store.notes("payment_intent", intentId);
  const method = store.get("payment_intent", intentId).payment_method ?? "";
  if (willSucceed) succeed(store, intentId, method);
  else decline(store, intentId, method, GENERIC_DECLINE);
  if (invoice) settled(store, invoice, willSucceed);
  if (!sessionId) return;
  const session = store.get("checkout.session", sessionId);
  if (!willSucceed) return store.emit("checkout.session.async_payment_failed", session);
  const paid = { payment_status: "paid", ...(invoice ? {} : { invoice: invoiceAfter(store, session, intentId) }) };
  const event = "checkout.session.async_payment_succeeded";
  store.update("checkout.session", sessionId, (draft) => Object.assign(draft, paid), event);
}
