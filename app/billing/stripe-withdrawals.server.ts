import Stripe from "stripe";
import type { Withdrawable } from "./provider";
import { reached } from "./reached.server";
import { isPayment } from "./stripe-references";

const MOST = 1_000;
const OVER: Stripe.Subscription.Status[] = ["canceled", "incomplete_expired"];

/** Lets a checkout expire, voids an invoice, or ends a subscription with all of its open ones. */
export function withdraw(stripe: Stripe, kind: Withdrawable, id: string): Promise<boolean> {
  if (kind === "checkout") return expire(stripe, id);
  return kind === "invoice" ? voidInvoice(stripe, id) : end(stripe, id);
}

async function expire(stripe: Stripe, id: string): Promise<boolean> {
  const { status, payment_status: payment } = await reached(stripe.checkout.sessions.retrieve(id));
  if (status === "open") return accepted(stripe.checkout.sessions.expire(id));
  return status === "expired" || payment !== "unpaid";
}

async function voidInvoice(stripe: Stripe, id: string): Promise<boolean> {
  const { status } = await reached(stripe.invoices.retrieve(id));
  return status === "open" ? accepted(stripe.invoices.voidInvoice(id)) : true;
}

async function end(stripe: Stripe, id: string): Promise<boolean> {
  const invoices = await reached(stripe.invoices.list({ subscription: id, limit: 100 }).autoPagingToArray({ limit: MOST }));
  if (invoices.some(isPayment)) return false;
  // They first, so that nobody pays for what is ending.
  for (const invoice of invoices) {
    if (invoice.status === "open" && !(await voidInvoice(stripe, invoice.id ?? ""))) return false;
  }
  const { status } = await reached(stripe.subscriptions.retrieve(id));
  if (!OVER.includes(status)) await reached(stripe.subscriptions.cancel(id));
  return true;
}

/** False where the provider refuses it, as it does for what was paid a moment ago, or whose payment is under way. */
function accepted(request: Promise<unknown>): Promise<boolean> {
  const refused = (error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw error;
  };
  return reached(request.then(() => true, refused));
}
