import type Stripe from "stripe";
import { newId, randomText } from "~/billing/demo/protocol/identifier";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { decide, type Decline } from "./cards";

type Intent = Objects["payment_intent"];

export interface Purpose {
  amount: number;
  currency: string;
  customer: string;
  description: string | null;
  metadata?: Record<string, string>;
  /** Whether the card is kept for renewals of a subscription. */
  offSession?: boolean;
}

export type Attempt = { result: "paid" | "pending" } | { result: "declined"; decline: Decline };

/** Creates a payment without any attempt yet. */
export function openIntent(store: Store, purpose: Purpose): Intent {
  const id = newId("pi");
  return store.create(
    "payment_intent",
    {
      id,
      object: "payment_intent",
      amount: purpose.amount,
      amount_capturable: 0,
      amount_details: { tip: {} },
      amount_received: 0,
      application: null,
      application_fee_amount: null,
      automatic_payment_methods: null,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: "automatic",
      client_secret: `${id}_secret_${randomText(24)}`,
      confirmation_method: "automatic",
      created: store.seconds(),
      currency: purpose.currency,
      customer: purpose.customer,
      description: purpose.description,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      metadata: purpose.metadata ?? {},
      next_action: null,
      on_behalf_of: null,
      payment_method: null,
      payment_method_configuration_details: null,
      payment_method_options: {
        card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" },
      },
      payment_method_types: ["card"],
      processing: null,
      receipt_email: null,
      review: null,
      setup_future_usage: purpose.offSession ? "off_session" : null,
      shipping: null,
      source: null,
      statement_descriptor: null,
      statement_descriptor_suffix: null,
      status: "requires_payment_method",
      transfer_data: null,
      transfer_group: null,
    },
    {},
    "payment_intent.created",
  );
}

/**
 * Tries to pay with a stored card.
 * @param isFirst whether the payer is present; false for a renewal
 */
export function attempt(store: Store, intentId: string, methodId: string, isFirst: boolean): Attempt {
  const { card = "succeeds" } = store.notes("payment_method", methodId);
  const decision = decide(card, isFirst);
  if (decision.is === "declined") {
    decline(store, intentId, methodId, decision.decline);
    return { result: "declined", decline: decision.decline };
  }
  if (decision.is === "paid") {
    succeed(store, intentId, methodId);
    return { result: "paid" };
  }
  store.note("payment_intent", intentId, { pendingSince: store.now(), willSucceed: decision.willSucceed });
  const pending = { status: "processing", payment_method: methodId, last_payment_error: null };
  store.update("payment_intent", intentId, (draft) => Object.assign(draft, pending), "payment_intent.processing");
  return { result: "pending" };
}

export function succeed(store: Store, intentId: string, methodId: string): void {
  const charge = chargeFor(store, intentId, methodId);
  store.create("charge", charge, {}, "charge.succeeded");
  const paid = { status: "succeeded", amount_received: charge.amount, latest_charge: charge.id, payment_method: methodId, last_payment_error: null };
  store.update("payment_intent", intentId, (draft) => Object.assign(draft, paid), "payment_intent.succeeded");
}

export function decline(store: Store, intentId: string, methodId: string, reason: Decline): void {
  const charge = chargeFor(store, intentId, methodId, reason);
  store.create("charge", charge, {}, "charge.failed");
  const error: Stripe.PaymentIntent.LastPaymentError = {
    ...reason,
    charge: charge.id,
    payment_method: store.get("payment_method", methodId),
    type: "card_error",
  };
  const failed = { status: "requires_payment_method", latest_charge: charge.id, payment_method: null, last_payment_error: error };
  store.update("payment_intent", intentId, (draft) => Object.assign(draft, failed), "payment_intent.payment_failed");
}

function chargeFor(store: Store, intentId: string, methodId: string, declined?: Decline): Objects["charge"] {
  const { amount, currency, customer, description, metadata } = store.get("payment_intent", intentId);
  const method = store.get("payment_method", methodId);
  return {
    id: newId("ch"),
    object: "charge",
    amount,
    amount_captured: declined ? 0 : amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: declined ? null : newId("txn"),
    billing_details: method.billing_details,
    calculated_statement_descriptor: "RAMPE",
    captured: !declined,
    created: store.seconds(),
    currency,
    customer,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: declined?.code ?? null,
    failure_message: declined?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: declined ? "declined_by_network" : "approved_by_network",
      reason: declined?.decline_code ?? null,
      risk_level: "normal",
      risk_score: 1,
      seller_message: declined ? "The bank did not return any further details with this decline." : "Payment complete.",
      type: declined ? "issuer_declined" : "authorized",
    },
    paid: !declined,
    payment_intent: intentId,
    payment_method: methodId,
    payment_method_details: { card: cardDetails(method, amount), type: "card" },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: declined ? "failed" : "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
}

function cardDetails({ card }: Stripe.PaymentMethod, amount: number): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
    country: card?.country ?? null,
    exp_month: card?.exp_month ?? 1,
    exp_year: card?.exp_year ?? 2000,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: "unregulated",
    three_d_secure: null,
    wallet: null,
  };
}
