import { z } from "zod";
import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import * as params from "~/billing/demo/protocol/parameters";
import { invalidRequest } from "~/billing/demo/protocol/stripe-error";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { DAY_SECONDS } from "~/platform/durations";

type Charge = Objects["charge"];

/** Charge of a successful payment that is not refunded yet; null if there is none. */
export function refundableCharge(store: Store, { status, latest_charge: id }: Objects["payment_intent"]): Charge | null {
  const charge = status === "succeeded" ? store.find("charge", id ?? "") : undefined;
  return charge && !charge.refunded ? charge : null;
}

export const newRefund = z.strictObject({ payment_intent: params.text, reason: z.literal("duplicate"), expand: params.expand });

/** Refunds a whole payment. */
export function refund(store: Store, chargeId: string): Charge {
  return store.update(
    "charge",
    chargeId,
    (draft) => Object.assign(draft, { refunded: true, amount_refunded: draft.amount }),
    "charge.refunded",
  );
}

/** Refunds a payment through the API. */
export function createRefund(store: Store, { payment_intent: id, reason }: z.output<typeof newRefund>): Stripe.Refund {
  const intent = store.get("payment_intent", id, "payment_intent");
  if (intent.status !== "succeeded") {
    throw invalidRequest(`This PaymentIntent (${id}) does not have a successful charge to refund.`, { param: "payment_intent" });
  }
  const charge = refundableCharge(store, intent);
  if (!charge) throw invalidRequest("The charge has already been refunded.", { code: "charge_already_refunded" });
  const { amount, currency } = refund(store, charge.id);
  return {
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: store.seconds(),
    currency,
    metadata: {},
    payment_intent: id,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}

/** Opens a dispute: the customer's bank asks for the money back. */
export function dispute(store: Store, chargeId: string): void {
  const charge = store.update("charge", chargeId, (draft) => void (draft.disputed = true));
  store.create(
    "dispute",
    {
      id: newId("dp"),
      object: "dispute",
      amount: charge.amount,
      balance_transactions: [],
      charge: charge.id,
      created: store.seconds(),
      currency: charge.currency,
      enhanced_eligibility_types: [],
      evidence: NO_EVIDENCE,
      evidence_details: {
        due_by: store.seconds() + 7 * DAY_SECONDS,
        enhanced_eligibility: {},
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      is_charge_refundable: true,
      livemode: false,
      metadata: {},
      payment_intent: charge.payment_intent,
      reason: "general",
      status: "needs_response",
    },
    {},
    "charge.dispute.created",
  );
}

/** Newest undecided dispute about a charge. */
export function openDispute(store: Store, chargeId: string): Stripe.Dispute | undefined {
  return store.list("dispute").find(({ charge, status }) => charge === chargeId && status === "needs_response");
}

/** Closes a dispute with the bank's decision. */
export function closeDispute(store: Store, chargeId: string, status: "won" | "lost"): void {
  const open = openDispute(store, chargeId);
  if (open) store.update("dispute", open.id, (draft) => void (draft.status = status), "charge.dispute.closed");
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
