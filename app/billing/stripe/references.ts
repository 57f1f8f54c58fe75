import type Stripe from "stripe";

type Reference = string | { id?: string } | null | undefined;

/** Id of a referenced object, expanded or not; null if there is no reference. */
export function idOf(reference: Reference): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === "string" ? reference : (reference.id ?? null);
}

/** Subscription of an invoice; null for a single invoice. */
export function subscriptionOf({ parent }: Stripe.Invoice): string | null {
  return idOf(parent?.subscription_details?.subscription);
}

/** Whether it is a payment: an invoice that gives money back is called `paid`, too. */
export const isPayment = ({ status, total }: Stripe.Invoice): boolean => status === "paid" && total > 0;

/** Our order of an invoice: its own, or the subscription's if it is the first one. */
export function orderOf({ parent, metadata, billing_reason: reason }: Stripe.Invoice): string | null {
  const first = reason === "subscription_create" ? parent?.subscription_details?.metadata : null;
  return metadata?.order ?? first?.order ?? null;
}

/** Payments of an invoice with expanded `payments`, including failed attempts. */
export function intentsOf({ payments }: Stripe.Invoice): string[] {
  return (payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
}

/** Decisive payment of several attempts (newest first): succeeded, otherwise processing, otherwise the last one. */
export function decisiveIntent(invoice: Stripe.Invoice, intents: Stripe.PaymentIntent[]): Stripe.PaymentIntent | null {
  const ids = intentsOf(invoice);
  const own = intents.filter(({ id }) => ids.includes(id));
  const withStatus = (wanted: Stripe.PaymentIntent.Status) => own.find(({ status }) => status === wanted);
  return withStatus("succeeded") ?? withStatus("processing") ?? own[0] ?? null;
}
