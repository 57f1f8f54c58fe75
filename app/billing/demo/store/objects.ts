import type Stripe from "stripe";

/** Stored objects, by the value of Stripe's `object` field. */
export interface Objects {
  "billing_portal.session": Stripe.BillingPortal.Session;
  charge: Stripe.Charge;
  "checkout.session": Stripe.Checkout.Session;
  customer: Stripe.Customer;
  dispute: Stripe.Dispute;
  event: Stripe.Event;
  invoice: Stored<Stripe.Invoice>;
  invoiceitem: Stripe.InvoiceItem;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  price: Stripe.Price;
  product: Stripe.Product;
  refund: Stripe.Refund;
  subscription: Stripe.Subscription;
}

/** Stored objects always have an id. */
type Stored<T> = T & { id: string };

export type Noun = keyof Objects;

/** Internal data about an object that Stripe's API does not show. */
export interface Notes {
  customer: Record<string, never>;
  "checkout.session": {
    /** Line items, with prices at creation time. */
    lines: { id: string; price: string; quantity: number; amount: number; currency: string; description: string }[];
    paymentIntent: { metadata: Record<string, string>; description: string | null };
    subscription: { metadata: Record<string, string>; description: string | null; trialDays: number | null };
  };
  payment_method: { card: CardOutcome };
  payment_intent: {
    /** For a pending payment: when it is decided (Unix time in ms), and how. */
    settlesAt?: number;
    willSucceed?: boolean;
    /** Its invoice or session. */
    invoice?: string;
    session?: string;
  };
  invoice: { paymentIntent?: string };
  subscription: {
    /** Lines that a change of plan adds to the next invoice, in the smallest unit of the currency. */
    pending?: { amount: number; description: string; price: string }[];
  };
  price: { currencyOptions: Record<string, number> };
  charge: Record<string, never>;
  dispute: Record<string, never>;
  event: Record<string, never>;
  invoiceitem: Record<string, never>;
  product: Record<string, never>;
  refund: Record<string, never>;
  "billing_portal.session": Record<string, never>;
}

/** Result of a payment with a card. */
export type CardOutcome = "succeeds" | "declined" | "insufficient" | "later-declined" | "pending" | "pending-declined";

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { id?: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === "string" ? reference : (reference.id ?? null);
}
