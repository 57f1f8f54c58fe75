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
  /** The payment provider's id. */
  customer_id: string | null;
  /** Number of customers at the provider, if more than one. */
  several: Generated<number>;
  /** When purchases were last synchronized with the provider. */
  reconciled_at: number | null;
}

/** A subscription or a one-time payment, as last reported by the provider. Amounts are in cents. */
export interface PurchaseTable {
  /** The provider's id. */
  id: string;
  user_id: string;
  kind: "subscription" | "payment";
  status: string;
  /** Paid and not refunded, by the rules in `app/billing/purchase-entitlement.ts`: results it covered stay readable. */
  grants: 0 | 1;
  /** From then on it covers nothing new; null: no end. */
  ends_at: Generated<number | null>;
  plan: Generated<"basic" | "pro" | "enterprise">;
  /** Product name, for users. */
  plan_name: string;
  url_limit: number;
  /** Any number of URLs, regardless of `url_limit`. */
  unlimited: Generated<0 | 1>;
  /** When its limit was last lowered. */
  limit_lowered_at: Generated<number | null>;
  amount: number;
  currency: string;
  created_at: number;
  period_start: number | null;
  period_end: number | null;
  cancel_at_period_end: Generated<0 | 1>;
  by_invoice: Generated<0 | 1>;
  paused: Generated<0 | 1>;
  /** When a one-time payment succeeded. */
  paid_at: Generated<number | null>;
  refunded: "no" | "partly" | "fully" | null;
  disputed: Generated<0 | 1>;
  /** When the mail about the coming end was sent. */
  end_mailed_at: Generated<number | null>;
  /** `urls_version` grows with each change of its URLs; `urls_written` is the version sent to the provider. */
  urls_version: Generated<number>;
  urls_written: Generated<number>;
  /** By an administrator, without payment: the provider does not know it. */
  granted: Generated<0 | 1>;
}

/** A URL that a purchase covers, with all others of its origin. */
export interface RegisteredUrlTable {
  id: Generated<number>;
  purchase_id: string;
  /** Scheme and host. */
  origin: string;
  /** As it was registered. */
  url: string;
  added_at: number;
  removed_at: number | null;
  /** When a run first had a result for it; null if none had. */
  checked_at: Generated<number | null>;
  /** The failed run that freed its slot, if it was removed for that reason. */
  freed_by: Generated<string | null>;
}

/** An order form that leads to the provider's checkout or to an invoice. */
interface CheckoutOrderTable {
  /** Made with the form (idempotency key): sent twice, it is one order. */
  id: string;
  user_id: string;
  price_id: string;
  url: string | null;
  /** The run whose result led here: a free check, or the buyer's own run. Unverified browser input. */
  check_id: string | null;
  /** The scan of the website that was started, or already running, after payment. */
  run_id: string | null;
  /** The checkout, or the invoice, at the provider. */
  checkout_id: string | null;
  way: Generated<"checkout" | "link" | "invoice">;
  /** When the link to the checkout was handed to the outbox. */
  mailed_at: number | null;
  /** When its URL was registered, its result assigned and its scan started. */
  fulfilled_at: number | null;
  /** When its refund and the end of its subscription were noted: another order was paid at the same time. */
  given_back_at: Generated<number | null>;
  created_at: number;
}

/** An invoice, as last reported by the provider: paid, or sent for manual payment. Amounts are in cents. */
interface InvoiceTable {
  /** The provider's id. */
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
  /** When it was handed to the outbox. */
  mailed_at: number | null;
}

/** An event of the provider, and its outcome. */
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
