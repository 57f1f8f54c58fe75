import Stripe from "stripe";
import type { Cancelable } from "~/billing/provider";
import { callProvider } from "./call-provider.server";
import { idOf, intentsOf, isPayment } from "./references";

const MOST = 1_000;
const OVER: Stripe.Subscription.Status[] = ["canceled", "incomplete_expired"];
const FAILED: Stripe.PaymentIntent.Status[] = ["requires_payment_method", "canceled"];

/** Expires a checkout, voids an invoice, or ends a subscription with all of its open invoices. */
export function cancelUnpaid(stripe: Stripe, kind: Cancelable, id: string): Promise<boolean> {
  if (kind === "checkout") return expire(stripe, id);
  return kind === "invoice" ? voidInvoice(stripe, id) : end(stripe, id);
}

async function expire(stripe: Stripe, id: string): Promise<boolean> {
  const session = await callProvider(stripe.checkout.sessions.retrieve(id));
  const { status, payment_status: payment } = session;
  if (status === "open") return accepted(stripe.checkout.sessions.expire(id));
  return status === "expired" || payment !== "unpaid" || (await hasFailed(stripe, session));
}

/** Whether a delayed payment has failed: the checkout stays "complete" and "unpaid" then; only the payment shows it. */
export async function hasFailed(stripe: Stripe, { status, payment_status: payment, payment_intent, subscription }: Stripe.Checkout.Session): Promise<boolean> {
  if (status !== "complete" || payment !== "unpaid") return false;
  const [intentId, subscriptionId] = [idOf(payment_intent), idOf(subscription)];
  if (intentId !== null) return FAILED.includes((await callProvider(stripe.paymentIntents.retrieve(intentId))).status);
  return subscriptionId !== null && OVER.includes((await callProvider(stripe.subscriptions.retrieve(subscriptionId))).status);
}

async function voidInvoice(stripe: Stripe, id: string): Promise<boolean> {
  const { status } = await callProvider(stripe.invoices.retrieve(id));
  return status === "open" ? accepted(stripe.invoices.voidInvoice(id)) : true;
}

async function end(stripe: Stripe, id: string): Promise<boolean> {
  const invoices = await callProvider(stripe.invoices.list({ subscription: id, limit: 100 }).autoPagingToArray({ limit: MOST }));
  if (invoices.some(isPayment)) return false;
  // Invoices first: a payment must not arrive for a cancelled subscription.
  for (const invoice of invoices) {
    if (invoice.status === "open" && !(await voidInvoice(stripe, invoice.id ?? ""))) return false;
  }
  const { status } = await callProvider(stripe.subscriptions.retrieve(id));
  if (!OVER.includes(status)) await callProvider(stripe.subscriptions.cancel(id));
  return true;
}

/**
 * Refunds first, then cancels: after an interruption, the subscription is still listed as running, so that both steps are
 * repeated. The idempotency key prevents a double refund.
 */
export async function refundSubscription(stripe: Stripe, id: string): Promise<boolean> {
  const listed = stripe.invoices.list({ subscription: id, limit: 100, expand: ["data.payments"] }).autoPagingToArray({ limit: MOST });
  for (const invoice of await callProvider(listed)) {
    if (invoice.status === "open" && !(await voidInvoice(stripe, invoice.id ?? ""))) return false;
    if (!isPayment(invoice)) continue;
    for (const intent of intentsOf(invoice)) await refundPayment(stripe, intent);
  }
  const { status } = await callProvider(stripe.subscriptions.retrieve(id));
  if (!OVER.includes(status)) await callProvider(stripe.subscriptions.cancel(id));
  return true;
}

/** Failed payment attempts need no refund. */
async function refundPayment(stripe: Stripe, intent: string): Promise<void> {
  const { status } = await callProvider(stripe.paymentIntents.retrieve(intent));
  if (status !== "succeeded") return;
  const idempotencyKey = `refund-${intent}`;
  const created = stripe.refunds.create({ payment_intent: intent, reason: "duplicate" }, { idempotencyKey }).catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== "charge_already_refunded") throw error;
  });
  await callProvider(created);
}

/** False if the provider refuses it, for example immediately after a payment, or during a pending payment. */
function accepted(request: Promise<unknown>): Promise<boolean> {
  const refused = (error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw error;
  };
  return callProvider(request.then(() => true, refused));
}
