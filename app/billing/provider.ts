import type { PlanKey } from "./plans/plans";

/** How often a plan is paid for. */
export type Rhythm = "month" | "once";

/** Of the catalogue: what can be bought by a click. */
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

/** What is charged for a plan. Amounts are in cents, currencies ISO 4217 in small letters. */
export interface PlanPrice {
  /** The provider's id. */
  id: string;
  plan: SoldPlan;
  rhythm: Rhythm;
  /** URLs that may be registered; null for any number. */
  urlLimit: number | null;
  amounts: Record<string, number>;
}

/** What was bought, as the provider tells it. Times are Unix time in ms. */
interface Bought {
  id: string;
  plan: PlanKey;
  /** The product's, for people. */
  planName: string;
  /** Null for any number. */
  urlLimit: number | null;
  /** In cents. */
  amount: number;
  currency: string;
  createdAt: number;
  /** `metadata.urls`: what we have written there. */
  urls: string[];
}

export interface ProviderSubscription extends Bought {
  /** Of ours, that it was begun by; null for one that somebody has made at the provider. */
  order: string | null;
  status: SubscriptionStatus;
  /** Sent by mail and paid by hand, instead of charged to a card. */
  byInvoice: boolean;
  /** By invoice: one of them has been paid. */
  paid: boolean;
  cancelAtPeriodEnd: boolean;
  /** Nothing is charged for the time being. */
  paused: boolean;
  periodStart: number;
  periodEnd: number;
}

export type PaymentStatus = "succeeded" | "pending" | "failed";

export interface ProviderPayment extends Bought {
  status: PaymentStatus;
  /** When it succeeded; null where it has not. */
  paidAt: number | null;
  refunded: "no" | "partly" | "fully";
  /** Open, or lost. */
  disputed: boolean;
}

/** An invoice that is sent by mail and paid by hand, or one that is paid. Times are Unix time in ms. */
export interface ProviderInvoice {
  id: string;
  /** Of ours, that it was written for; null for one that the provider wrote of itself. */
  order: string | null;
  /** What people call it. */
  number: string | null;
  status: "open" | "paid" | "void";
  planName: string;
  /** What is still to be paid, in cents. */
  amount: number;
  /** What it is about, in cents. */
  total: number;
  currency: string;
  createdAt: number;
  dueAt: number | null;
  /** The provider's page, where it is paid, and read. */
  url: string | null;
}

/** Everything that somebody has bought. */
export interface Purchases {
  subscriptions: ProviderSubscription[];
  payments: ProviderPayment[];
  invoices: ProviderInvoice[];
}

interface Order {
  /** The same order twice is one checkout, or one invoice. */
  id: string;
  customer: string;
  price: PlanPrice;
  currency: string;
  /** What it is bought for. */
  url: string | null;
}

export interface CheckoutOrder extends Order {
  locale: "de" | "en";
  successUrl: string;
  cancelUrl: string;
}

export interface InvoiceOrder extends Order {
  locale: "de" | "en";
  daysUntilDue: number;
}

/** How an order stands: at the provider's checkout, or by its invoice. */
export interface Checkout {
  id: string;
  /** The provider's page; null when it is over. */
  url: string | null;
  customer: string | null;
  status: "open" | "complete" | "expired";
  rhythm: Rhythm;
  paid: boolean;
}

/** What somebody may have ordered, and need not pay. */
export type Withdrawable = "checkout" | "invoice" | "subscription";

/** A payment provider. All methods throw `ProviderUnavailable`, and `UnknownToProvider` about what is not there. */
export interface BillingProvider {
  /** Empty where nothing has been set up. */
  prices(): Promise<PlanPrice[]>;
  /**
   * The customer of a user, by `metadata.auth0_id`; null where there is none. Who was created a moment ago may not be found.
   * @param key the user's subject at the identity provider, or our own id
   * @throws {SeveralCustomers}
   */
  findCustomer(key: string): Promise<string | null>;
  /**
   * Once for a user, however often it is asked for.
   * @param user.instead of a customer that is there no more
   */
  createCustomer(user: { id: string; key: string; email: string; instead: string | null }): Promise<string>;
  startCheckout(order: CheckoutOrder): Promise<Checkout>;
  checkout(id: string): Promise<Checkout>;
  /** Has an invoice written, once it is paid the order is complete. Nobody but us sends it. */
  startInvoice(order: InvoiceOrder): Promise<Checkout>;
  invoice(id: string): Promise<Checkout>;
  /**
   * Takes back what has not been paid: a checkout, an invoice of its own, or a subscription with its invoices. What is paid
   * or over stays as it is.
   * @returns whether nothing can be paid for it any more; false also while a payment is under way
   */
  withdraw(kind: Withdrawable, id: string): Promise<boolean>;
  /**
   * Ends a subscription at once and gives back all that was paid for it. May be repeated.
   * @returns whether nothing more is or will be paid for it; false while a payment is under way
   */
  giveBack(subscription: string): Promise<boolean>;
  purchasesOf(customer: string): Promise<Purchases>;
  writeUrls(kind: "subscription" | "payment", id: string, urls: string[]): Promise<void>;
  /** A page of the provider's with invoices and payment methods. @returns its address */
  openPortal(customer: string, returnUrl: string, locale: "de" | "en"): Promise<string>;
  /**
   * Checks who has sent an event.
   * @throws {ForgedEvent}
   */
  readEvent(payload: string, signature: string): BillingEvent;
}

export interface BillingEvent {
  id: string;
  type: string;
  /** Unix time in ms. */
  createdAt: number;
  /** Whom it is about; null when it does not say. */
  customer: string | null;
  /** The payment it is about: a dispute names nothing else. */
  payment: string | null;
}
