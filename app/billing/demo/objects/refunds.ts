import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { missing, unusable } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import { idOf } from "~/billing/demo/store/objects";
import * as take from "~/billing/demo/protocol/parameters";

/** The charge of a successful payment that is not refunded yet; null if there is none. */
export function refundableCharge(store: Store, intent: Stripe.PaymentIntent): Stripe.Charge | null {
  const id = intent.status === "succeeded" ? idOf(intent.latest_charge) : null;
  const charge = id === null ? undefined : store.find("charge", id);
  return charge && !charge.refunded ? charge : null;
}

export const newRefund = z.strictObject({
  payment_intent: take.text,
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata: take.metadata.optional(),
  expand: take.expand,
});

/** Refunds a whole payment. */
export function refund(store: Store, chargeId: string): Stripe.Charge {
  return store.update(
    "charge",
    chargeId,
    (draft) => Object.assign(draft, { refunded: true, amount_refunded: draft.amount }),
    "charge.refunded",
  );
}

/** The same, requested through the API. */
export function createRefund(store: Store, { payment_intent: id, reason, metadata }: z.output<typeof newRefund>): Stripe.Refund {
  const intent = store.find("payment_intent", id);
  if (!intent) throw missing("payment_intent", id, "payment_intent");
  const charge = idOf(intent.latest_charge);
  if (intent.status !== "succeeded" || charge === null) {
    throw unusable(`This PaymentIntent (${id}) does not have a successful charge to refund.`, { param: "payment_intent" });
  }
  if (refundableCharge(store, intent) === null) {
    throw unusable(`Charge ${charge} has already been refunded.`, { code: "charge_already_refunded" });
  }
  const { amount, currency } = refund(store, charge);
  return store.create("refund", {
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge,
    created: store.seconds(),
    currency,
    metadata: take.changeMetadata({}, metadata),
    payment_intent: id,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  }, {});
}

/** The customer's bank asks for the money back. */
export function dispute(store: Store, chargeId: string): void {
  const charge = store.update("charge", chargeId, (draft) => Object.assign(draft, { disputed: true }));
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
        due_by: store.seconds() + 7 * 86_400,
        enhanced_eligibility: {},
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      is_charge_refundable: true,
      livemode: false,
      metadata: {},
      payment_intent: idOf(charge.payment_intent),
      reason: "general",
      status: "needs_response",
    },
    {},
    "charge.dispute.created",
  );
}

/** The newest undecided dispute about a charge. */
export function openDispute(store: Store, chargeId: string): Stripe.Dispute | undefined {
  return store.list("dispute").find(({ charge, status }) => charge === chargeId && status === "needs_response");
}

/** The bank decided the dispute. */
export function closeDispute(store: Store, chargeId: string, status: "won" | "lost"): void {
  const open = openDispute(store, chargeId);
  if (open) store.update("dispute", open.id, (draft) => Object.assign(draft, { status }), "charge.dispute.closed");
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
