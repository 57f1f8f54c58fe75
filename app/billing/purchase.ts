import type { PlanKey } from "./plans/plans";

/** A purchase and its coverage. Times are Unix time in ms, amounts in cents. */
export interface Purchase {
  id: string;
  kind: "subscription" | "payment";
  /** Status at the provider; `gone` if the provider no longer knows it. */
  status: string;
  /** Whether it entitles to new scans of registered websites now. */
  entitles: boolean;
  /** Whether it is paid and not refunded: covered reports stay readable. */
  paidFor: boolean;
  /** End of coverage for new scans; null until further notice. */
  endsAt: number | null;
  plan: PlanKey;
  /** The product's display name. */
  planName: string;
  /** Null for any number. */
  urlLimit: number | null;
  amount: number;
  currency: string;
  createdAt: number;
  periodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** Whether a subscription is not charged to a card. */
  byInvoice: boolean;
  /** Whether the operator granted it without payment. */
  granted: boolean;
  urls: RegisteredUrl[];
}

interface RegisteredUrl {
  id: number;
  origin: string;
  url: string;
  addedAt: number;
  /** Whether it is within the limit: a smaller plan covers the websites that were registered first. */
  covered: boolean;
}
