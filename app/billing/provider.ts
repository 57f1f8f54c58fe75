import type { Locale } from "~/platform/i18n/i18n";
import type { PlanKey } from "./plans/plans";

/** How often a plan is paid for. */
export type Rhythm = "month" | "once";

/** Plans of the catalogue that are sold online. */
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
  /** The provider's id. */
  id: string;
  plan: SoldPlan;
  rhythm: Rhythm;
  /** URLs that may be registered; null for any number. */
  urlLimit: number | null;
  amounts: Record<string, number>;
}

/** A purchase, as the provider reports it. Times are Unix time in ms. */
interface Bought {
  id: string;
  plan: PlanKey;
  /** The product's display name. */
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
  /** Our order that started it; null for a subscription made at the provider. */
  order: string | null;
  status: SubscriptionStatus;
  /** Sent by mail and paid by hand, instead of charged to a card. */
  byInvoice: boolean;
  /** Billed by invoice: at least one invoice has been paid. */
  paid: boolean;
  cancelAtPeriodEnd: boolean;
  /** Collection of payments is paused. */
  paused: boolean;
  periodStart: number;
  periodEnd: number;
}

type PaymentStatus = "succeeded" | "pending" | "failed";

export interface ProviderPayment extends Bought {
  status: PaymentStatus;
  /** When it succeeded; null if it has not. */
  paidAt: number | null;
  refunded: "no" | "partly" | "fully";
  /** Open, or lost. */
  disputed: boolean;
}

/** An invoice that is sent by mail and paid by hand, or one that is paid. Times are Unix time in ms. */
export interface ProviderInvoice {
  id: string;
  /** Our order that it was written for; null if the provider wrote it by itself. */
  order: string | null;
  /** The number for display. */
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
  /** The provider's page, where it is paid, and read. */
  url: string | null;
}

/** All purchases of a customer. */
export interface Purchases {
  subscriptions: ProviderSubscription[];
  payments: ProviderPayment[];
  invoices: ProviderInvoice[];
}

interface Order {
  /** Idempotency key: the same order is one checkout, or one invoice. */
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
  /** The provider's page; null when it is over. */
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
  /** Empty where nothing has been set up. */
  prices(): Promise<PlanPrice[]>;
  /**
   * The customer of a user, by `metadata.auth0_id`; null if there is none. A customer created a moment ago may not be found.
   * @param key the user's subject at the identity provider, or our own id
   * @throws {SeveralCustomers}
   */
  findCustomer(key: string): Promise<string | null>;
  /**
   * Idempotent: one customer for each user.
   * @param user.instead a customer that no longer exists, to be replaced
   */
  createCustomer(user: { id: string; key: string; email: string; instead: string | null }): Promise<string>;
  startCheckout(order: CheckoutOrder): Promise<Checkout>;
  checkout(id: string): Promise<Checkout>;
  /** Creates an invoice; once it is paid, the order is complete. Only we send it, not the provider. */
  startInvoice(order: InvoiceOrder): Promise<Checkout>;
  invoice(id: string): Promise<Checkout>;
  /**
   * Cancels an unpaid checkout, a single invoice, or a subscription with its invoices. Orders that are paid or over stay as
   * they are.
   * @returns whether no payment for it is possible any more; false also while a payment is pending
   */
  cancelUnpaid(kind: Cancelable, id: string): Promise<boolean>;
  /**
   * Ends a subscription at once and refunds all payments for it. Idempotent.
   * @returns whether no more payments for it are possible; false while a payment is pending
   */
  refundSubscription(subscription: string): Promise<boolean>;
  purchasesOf(customer: string): Promise<Purchases>;
  writeUrls(kind: "subscription" | "payment", id: string, urls: string[]): Promise<void>;
  /** A page of the provider's with invoices and payment methods. @returns its address */
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
  /** The customer it is about; null if it names none. */
  customer: string | null;
  /** The payment it is about: a dispute names nothing else. */
  payment: string | null;
}
