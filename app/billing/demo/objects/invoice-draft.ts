import type { Store } from "~/billing/demo/store/store";
import { invoiceLine, type Line } from "./invoice-lines";
import type { Objects } from "~/billing/demo/store/objects";
import { DAY_SECONDS } from "~/platform/durations";

export interface Draft {
  /** Id from the caller: earlier objects may refer to it. */
  id: string;
  customer: string;
  currency: string;
  reason: "manual" | "subscription_create" | "subscription_cycle" | "subscription_update";
  collectionMethod: "charge_automatically" | "send_invoice";
  daysUntilDue: number | null;
  /** Null for an invoice without a subscription. */
  subscription: Objects["subscription"] | null;
  lines: Line[];
  description?: string | null;
  metadata: Record<string, string>;
}

/** Creates a draft: the customer does not have to pay it yet. */
export function draftInvoice(store: Store, draft: Draft): Objects["invoice"] {
  const { id, currency, reason, collectionMethod, daysUntilDue, subscription, lines, metadata } = draft;
  const now = store.seconds();
  const owner = store.get("customer", draft.customer);
  const byInvoice = collectionMethod === "send_invoice";
  return store.create(
    "invoice",
    {
      id,
      object: "invoice",
      account_country: "DE",
      account_name: "Rampe",
      account_tax_ids: null,
      amount_overpaid: 0,
      amount_paid: 0,
      amount_shipping: 0,
      application: null,
      attempt_count: 0,
      attempted: false,
      auto_advance: subscription !== null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null, status: null },
      automatically_finalizes_at: null,
      billing_reason: reason,
      collection_method: collectionMethod,
      created: now,
      currency,
      custom_fields: null,
      customer: owner.id,
      customer_address: null,
      customer_email: owner.email,
      customer_name: owner.name ?? null,
      customer_phone: null,
      customer_shipping: null,
      customer_tax_exempt: "none",
      customer_tax_ids: [],
      default_payment_method: null,
      default_source: null,
      default_tax_rates: [],
      description: draft.description ?? null,
      discounts: [],
      due_date: byInvoice ? now + (daysUntilDue ?? 30) * DAY_SECONDS : null,
      effective_at: null,
      ending_balance: null,
      footer: null,
      from_invoice: null,
      issuer: { type: "self" },
      last_finalization_error: null,
      latest_revision: null,
      lines: {
        object: "list",
        data: lines.map((line) => invoiceLine(line, { invoice: id, currency, subscription })),
        has_more: false,
        url: `/v1/invoices/${id}/lines`,
      },
      livemode: false,
      metadata,
      next_payment_attempt: null,
      number: null,
      on_behalf_of: null,
      parent: subscription && {
        quote_details: null,
        subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
        type: "subscription_details",
      },
      payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
      period_end: Math.max(now, ...lines.map(({ end }) => end)),
      period_start: Math.min(now, ...lines.map(({ start }) => start)),
      post_payment_credit_notes_amount: 0,
      pre_payment_credit_notes_amount: 0,
      receipt_number: null,
      rendering: null,
      shipping_cost: null,
      shipping_details: null,
      statement_descriptor: null,
      status: "draft",
      status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
      test_clock: null,
      total_discount_amounts: [],
      total_pretax_credit_amounts: [],
      total_taxes: [],
      webhooks_delivered_at: null,
      ...sumsOf(lines.reduce((sum, { amount }) => sum + amount, 0), owner.balance),
    },
    {},
    "invoice.created",
  );
}

/** Sums of an invoice; a customer's credit is negative. */
export function sumsOf(total: number, balance: number) {
  const due = Math.max(0, total + balance);
  return {
    amount_due: due,
    amount_remaining: due,
    starting_balance: balance,
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
}
