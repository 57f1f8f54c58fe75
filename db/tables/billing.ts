import type { Generated } from "kysely";

export interface BillingTables {
  customer: CustomerTable;
  purchase: PurchaseTable;
  registered_url: RegisteredUrlTable;
  checkout_order: CheckoutOrderTable;
  invoice: InvoiceTable;
  billing_event: BillingEventTable;
}

interface CustomerTable {
  user_id: string;
  /** Customer id at the payment provider. */
  customer_id: string | null;
  /** Number of the user's customers at the provider, if more than one. */
  several: Generated<number>;
  /** Time of the last synchronization with the provider. */
  reconciled_at: number | null;
}

/** Subscription or one-time payment, as last reported by the provider. Amounts are in cents. */
export interface PurchaseTable {
  /** Id at the provider. */
  id: string;
  user_id: string;
  kind: "subscription" | "payment";
  status: string;
  /** 1 if paid and not refunded, by the rules in `app/billing/purchase-entitlement.ts`: covered results stay readable. */
  grants: 0 | 1;
  /** End of coverage for new scans; null for no end. */
  ends_at: Generated<number | null>;
  plan: Generated<"basic" | "pro" | "enterprise">;
  /** Product name, for users. */
  plan_name: string;
  url_limit: number;
  /** 1 for any number of URLs, regardless of `url_limit`. */
  unlimited: Generated<0 | 1>;
  /** Time when the limit was last lowered. */
  limit_lowered_at: Generated<number | null>;
  amount: number;
  currency: string;
  created_at: number;
  period_start: number | null;
  period_end: number | null;
  cancel_at_period_end: Generated<0 | 1>;
  by_invoice: Generated<0 | 1>;
  paused: Generated<0 | 1>;
  /** Time when a one-time payment succeeded. */
  paid_at: Generated<number | null>;
  refunded: "no" | "partly" | "fully" | null;
  disputed: Generated<0 | 1>;
  /** Time of the mail about the coming end. */
  end_mailed_at: Generated<number | null>;
  /** `urls_version` grows with each change of the URLs; `urls_written` is the version sent to the provider. */
  urls_version: Generated<number>;
  urls_written: Generated<number>;
  /** 1 if an administrator granted it without payment: the provider does not know it. */
  granted: Generated<0 | 1>;
}

/** URL that a purchase covers, with all others of its origin. */
export interface RegisteredUrlTable {
  id: Generated<number>;
  purchase_id: string;
  /** Scheme and host. */
  origin: string;
  /** URL as registered. */
  url: string;
  added_at: number;
  removed_at: number | null;
  /** Time of the first run with a result for it; null if none had one. */
  checked_at: Generated<number | null>;
  /** Failed run that freed the slot, if the URL was removed for that reason. */
  freed_by: Generated<string | null>;
}

/** Order form for the provider's checkout or an invoice. */
interface CheckoutOrderTable {
  /** Idempotency key, created with the form: a form sent twice is one order. */
  id: string;
  user_id: string;
  price_id: string;
  url: string | null;
  /** Run whose result led to the order: a free check, or the buyer's own run. Unverified browser input. */
  check_id: string | null;
  /** Website's scan that was started after payment, or was already running. */
  run_id: string | null;
  /** Checkout or invoice at the provider. */
  checkout_id: string | null;
  way: Generated<"checkout" | "link" | "invoice">;
  /** Time when the link to the checkout was handed to the outbox. */
  mailed_at: number | null;
  /** Time when the URL was registered, the result assigned and the scan started. */
  fulfilled_at: number | null;
  /** Time when the refund and the end of the subscription were recorded: another order was paid at the same time. */
  given_back_at: Generated<number | null>;
  created_at: number;
}

/** Invoice, as last reported by the provider: paid, or sent for manual payment. Amounts are in cents. */
interface InvoiceTable {
  /** Id at the provider. */
  id: string;
  user_id: string;
  number: string | null;
  plan_name: string;
  /** `gone`: the provider no longer has it. */
  status: "open" | "paid" | "void" | "gone";
  /** Amount due. */
  amount: number;
  /** Total amount. */
  total: Generated<number>;
  currency: string;
  created_at: number;
  due_at: number | null;
  /** Payment page of the provider. */
  url: string | null;
  /** Time when it was handed to the outbox. */
  mailed_at: number | null;
}

/** Event of the provider, and its outcome. */
interface BillingEventTable {
  id: string;
  type: string;
  customer_id: string | null;
  created_at: number;
  received_at: number;
  attempts: Generated<number>;
  handled_at: number | null;
  outcome: string | null;
}
