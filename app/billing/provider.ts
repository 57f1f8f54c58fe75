/** How often a plan is paid for. */
export type Rhythm = "month" | "once";

/** Of the catalogue: what can be bought by a click. */
export type PlanKey = "basic" | "pro";

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
  plan: PlanKey;
  rhythm: Rhythm;
  /** URLs that may be registered. */
  urlLimit: number;
  amounts: Record<string, number>;
}

/** What was bought, as the provider tells it. Times are Unix time in ms. */
interface Bought {
  id: string;
  planName: string;
  urlLimit: number;
  /** In cents. */
  amount: number;
  currency: string;
  createdAt: number;
  /** `metadata.urls`: what we have written there. */
  urls: string[];
}

export interface ProviderSubscription extends Bought {
  status: SubscriptionStatus;
  /** Sent by mail and paid by hand, instead of charged to a card. */
  byInvoice: boolean;
  cancelAtPeriodEnd: boolean;
  /** Nothing is charged for the time being. */
  paused: boolean;
  periodStart: number;
  periodEnd: number;
}

export type PaymentStatus = "succeeded" | "pending" | "failed";

export interface ProviderPayment extends Bought {
  status: PaymentStatus;
  refunded: "no" | "partly" | "fully";
  /** Open, or lost. */
  disputed: boolean;
}

/** Everything that somebody has bought. */
export interface Purchases {
  subscriptions: ProviderSubscription[];
  payments: ProviderPayment[];
}

export interface CheckoutOrder {
  /** The same order twice is one checkout. */
  id: string;
  customer: string;
  price: PlanPrice;
  currency: string;
  locale: "de" | "en";
  /** What it is bought for. */
  url: string | null;
  successUrl: string;
  cancelUrl: string;
}

export interface Checkout {
  id: string;
  /** The provider's page; null when it is over. */
  url: string | null;
  customer: string | null;
  status: "open" | "complete" | "expired";
  paid: boolean;
  /** What it was bought for. */
  boughtFor: string | null;
}

/** A payment provider. All methods throw `ProviderUnavailable`. */
export interface BillingProvider {
  /** Empty where nothing has been set up. */
  prices(): Promise<PlanPrice[]>;
  /**
   * The customer of a user: found by `metadata.auth0_id`, else made, once.
   * @param key the user's subject at the identity provider, or our own id
   * @throws {SeveralCustomers}
   */
  customerOf(user: { id: string; key: string; email: string }): Promise<string>;
  startCheckout(order: CheckoutOrder): Promise<Checkout>;
  checkout(id: string): Promise<Checkout>;
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
