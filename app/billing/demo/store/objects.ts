import type Stripe from "stripe";

/** Stored objects, by the value of Stripe's `object` field. Their references are ids; only answers expand them. */
export interface Objects {
  "billing_portal.session": Stripe.BillingPortal.Session;
  charge: Stripe.Charge & { payment_intent: string };
  "checkout.session": Stripe.Checkout.Session & { customer: string; payment_intent: string | null };
  customer: Stripe.Customer & { invoice_settings: { default_payment_method: string | null } };
  dispute: Stripe.Dispute;
  event: Stripe.Event;
  invoice: Stripe.Invoice & { id: string; customer: string };
  payment_intent: Stripe.PaymentIntent & { customer: string; latest_charge: string | null; payment_method: string | null };
  payment_method: Stripe.PaymentMethod;
  price: Stripe.Price & { product: string };
  product: Stripe.Product;
  subscription: Stripe.Subscription & { customer: string; default_payment_method: string | null; latest_invoice: string };
}

export type Noun = keyof Objects;

/** Internal data about objects that Stripe's API does not show. */
interface Notes {
  "checkout.session": {
    /** Single line, with its price at creation time. */
    lines: { id: string; price: string; amount: number; currency: string; description: string }[];
    paymentIntent: { metadata: Record<string, string> };
    subscription: { metadata: Record<string, string> };
  };
  payment_method: { card: CardOutcome };
  payment_intent: {
    /** Time at which a pending payment was made (Unix time in ms), and its later result. */
    pendingSince?: number;
    willSucceed?: boolean;
    /** Id of its invoice or session. */
    invoice?: string;
    session?: string;
  };
  invoice: { paymentIntent?: string };
  price: { currencyOptions: Record<string, number> };
}

export type NotesOf<N extends Noun> = N extends keyof Notes ? Notes[N] : Record<string, never>;

/** Result of a payment with a card. */
export type CardOutcome = "succeeds" | "declined" | "insufficient" | "later-declined" | "pending" | "pending-declined";
