import type { PlanKey } from "./plans/plans";

/** A purchase and its coverage. Times are Unix time in ms, amounts in cents. */
export interface Purchase {
  id: string;
  kind: "subscription" | "payment";
  /** The provider's status; `gone` if it does not know it any more. */
  status: string;
  /** It entitles to new scans, of registered websites, now. */
  entitles: boolean;
  /** Paid for and not refunded: what it covered stays readable. */
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
  /** A subscription that is not charged to a card. */
  byInvoice: boolean;
  /** Granted by the operator, without payment. */
  granted: boolean;
  urls: RegisteredUrl[];
}

interface RegisteredUrl {
  id: number;
  origin: string;
  url: string;
  addedAt: number;
  /** Within the limit: with a smaller plan, the ones that were registered first. */
  covered: boolean;
}
