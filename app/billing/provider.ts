import type { Locale } from "~/platform/i18n/i18n";
import type { PlanKey } from "./plans/plans";

/** Payment interval of a plan. */
export type Rhythm = "month" | "once";

/** Plans that are sold online. */
export type SoldPlan = Exclude<PlanKey, "enterprise">;

export const SUBSCRIPTION_STATUSES = [
  "active",
  "trialing",
  "past_due",
  "canceled",
  "unpaid",
  "incomplete",
  "incomplete_expired",
  "paused",
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Price of a plan. Amounts are in cents, currencies ISO 4217 in small letters. */
export interface PlanPrice {
  /** Id at the provider. */
  id: string;
  plan: SoldPlan;
  rhythm: Rhythm;
  /** Maximum number of registered URLs; null for any number. */
  urlLimit: number | null;
  amounts: Record<string, number>;
}

/** Purchase from the provider. Times are Unix time in ms. */
interface Bought {
  id: string;
  plan: PlanKey;
  /** The product's display name. */
  planName: string;
  /** Null for any number. */
  urlLimit: number | null;
  /** Amount in cents. */
  amount: number;
  currency: string;
  createdAt: number;
  /** URLs that we have written to `metadata.urls`. */
  urls: string[];
}

export interface ProviderSubscription extends Bought {
  /** Id of our order; null for a subscription created at the provider. */
  order: string | null;
  status: SubscriptionStatus;
  /** Whether invoices are sent by mail and paid by hand, in place of card charges. */
  byInvoice: boolean;
  /** For billing by invoice: whether at least one invoice has been paid. */
  paid: boolean;
  cancelAtPeriodEnd: boolean;
  /** Whether the collection of payments is paused. */
  paused: boolean;
  periodStart: number;
  periodEnd: number;
}

type PaymentStatus = "succeeded" | "pending" | "failed";

export interface ProviderPayment extends Bought {
  status: PaymentStatus;
  /** Time of success; null if not paid. */
  paidAt: number | null;
  refunded: "no" | "partly" | "fully";
  /** Whether it is disputed now, or a dispute was lost. */
  disputed: boolean;
}

/** Invoice that is sent by mail and paid by hand, or a paid invoice. Times are Unix time in ms. */
export interface ProviderInvoice {
  id: string;
  /** Id of our order; null for an invoice that the provider created itself. */
  order: string | null;
  /** Number for display. */
  number: string | null;
  status: "open" | "paid" | "void";
  planName: string;
  /** The open amount, in cents. */
  amount: number;
  /** The total, in cents. */
  total: number;
  currency: string;
  createdAt: number;
  dueAt: number | null;
  /** Provider's page for payment and reading. */
  url: string | null;
}

/** All purchases of a customer. */
export interface Purchases {
  subscriptions: ProviderSubscription[];
  payments: ProviderPayment[];
  invoices: ProviderInvoice[];
}

interface Order {
  /** Idempotency key: one order has one checkout, or one invoice. */
  id: string;
  customer: string;
  price: PlanPrice;
  currency: string;
  /** The website of the order. */
  url: string | null;
}

export interface CheckoutOrder extends Order {
  locale: Locale;
  successUrl: string;
  cancelUrl: string;
}

export interface InvoiceOrder extends Order {
  locale: Locale;
  daysUntilDue: number;
}

/** State of an order: at the provider's checkout, or by its invoice. */
export interface Checkout {
  id: string;
  /** Provider's page; null if the order is over. */
  url: string | null;
  customer: string | null;
  status: "open" | "complete" | "expired";
  rhythm: Rhythm;
  paid: boolean;
}

/** Kinds of orders that can be canceled before payment. */
export type Cancelable = "checkout" | "invoice" | "subscription";

/** A payment provider. All methods throw `ProviderUnavailable`, and `UnknownToProvider` for an unknown object. */
export interface BillingProvider {
  /** Prices; empty if none are set up. */
  prices(): Promise<PlanPrice[]>;
  /**
   * Customer of a user, by `metadata.auth0_id`; null if there is none. A newly created customer may not be found.
   * @param key the user's subject at the identity provider, or our own id
   * @throws {SeveralCustomers}
   */
  findCustomer(key: string): Promise<string | null>;
  /**
   * Creates a customer. Idempotent: one for each user.
   * @param user.instead a customer that no longer exists, to be replaced
   */
  createCustomer(user: { id: string; key: string; email: string; instead: string | null }): Promise<string>;
  startCheckout(order: CheckoutOrder): Promise<Checkout>;
  checkout(id: string): Promise<Checkout>;
  /** Creates an invoice; once it is paid, the order is complete. Only we send it, not the provider. */
  startInvoice(order: InvoiceOrder): Promise<Checkout>;
  invoice(id: string): Promise<Checkout>;
  /**
   * Cancels an unpaid checkout, a single invoice, or a subscription with its invoices. Paid or ended orders stay as
   * they are.
   * @returns whether payment is no longer possible; false also while a payment is pending
   */
  cancelUnpaid(kind: Cancelable, id: string): Promise<boolean>;
  /**
   * Ends a subscription immediately and refunds all its payments. Idempotent.
   * @returns whether no more payments are possible; false while a payment is pending
   */
  refundSubscription(subscription: string): Promise<boolean>;
  purchasesOf(customer: string): Promise<Purchases>;
  writeUrls(kind: "subscription" | "payment", id: string, urls: string[]): Promise<void>;
  /** Opens a page of the provider with invoices and payment methods. @returns its address */
  openPortal(customer: string, returnUrl: string, locale: Locale): Promise<string>;
  /**
   * Verifies the sender of an event.
   * @throws {ForgedEvent}
   */
  readEvent(payload: string, signature: string): BillingEvent;
}

export interface BillingEvent {
  id: string;
  type: string;
  /** Unix time in ms. */
  createdAt: number;
  /** Customer of the event; null if it has none. */
  customer: string | null;
  /** Payment of the event: a dispute contains nothing else. */
  payment: string | null;
}
