import { z } from "zod";
import type Stripe from "stripe";
import { LOCALES } from "~/platform/i18n/i18n";
import { DAY_SECONDS } from "~/platform/durations";
import { newId } from "~/billing/demo/protocol/identifier";
import * as params from "~/billing/demo/protocol/parameters";
import { invalidRequest } from "~/billing/demo/protocol/stripe-error";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { amountIn, priceOfType, productName } from "./catalogue";
import { mustShareCurrency } from "./subscriptions";

const withMetadata = z.strictObject({ metadata: params.metadata }).optional();

export const newSession = z.strictObject({
  mode: z.enum(["payment", "subscription"]),
  line_items: z.array(z.strictObject({ price: params.text, quantity: z.literal("1") })).length(1),
  success_url: params.url,
  cancel_url: params.url.optional(),
  client_reference_id: params.text.max(200).optional(),
  customer: params.text,
  currency: params.currency.optional(),
  locale: z.enum(LOCALES).optional(),
  metadata: params.metadata,
  invoice_creation: z.strictObject({ enabled: params.boolean, invoice_data: z.strictObject({ description: params.text }) }).optional(),
  payment_intent_data: withMetadata,
  subscription_data: withMetadata,
  custom_text: z.strictObject({ submit: z.strictObject({ message: params.text.max(1_200) }) }).optional(),
  expand: params.expand,
});

export const sessionList = z.strictObject({
  ...params.paging,
  payment_intent: params.text.optional(),
  status: z.enum(["complete", "expired", "open"]).optional(),
});

type Session = Objects["checkout.session"];
type Fields = z.output<typeof newSession>;

/** @throws {StripeError} 400 for parameters that contradict each other */
export function createSession(store: Store, fields: Fields): Session {
  const isSubscription = fields.mode === "subscription";
  for (const param of isSubscription ? (["payment_intent_data", "invoice_creation"] as const) : (["subscription_data"] as const)) {
    if (fields[param]) throw invalidRequest(`You can not pass \`${param}\` in \`${fields.mode}\` mode.`, { param });
  }
  const customer = store.get("customer", fields.customer, "customer");
  const line = newLine(store, fields);
  if (isSubscription) mustShareCurrency(store, customer.id, line.currency);
  const id = newId("cs_test");
  return store.create(
    "checkout.session",
    {
      id,
      object: "checkout.session",
      adaptive_pricing: { enabled: false },
      after_expiration: null,
      allow_promotion_codes: null,
      amount_subtotal: line.amount,
      amount_total: line.amount,
      automatic_tax: { enabled: false, liability: null, status: null },
      billing_address_collection: null,
      cancel_url: fields.cancel_url ?? null,
      client_reference_id: fields.client_reference_id ?? null,
      client_secret: null,
      collected_information: null,
      consent: null,
      consent_collection: null,
      created: store.seconds(),
      currency: line.currency,
      currency_conversion: null,
      custom_fields: [],
      custom_text: { after_submit: null, shipping_address: null, submit: fields.custom_text?.submit ?? null, terms_of_service_acceptance: null },
      customer: customer.id,
      customer_creation: null,
      customer_details: { address: null, email: customer.email, name: customer.name ?? null, phone: null, tax_exempt: "none", tax_ids: null },
      customer_email: null,
      discounts: [],
      expires_at: store.seconds() + DAY_SECONDS,
      invoice: null,
      invoice_creation: isSubscription ? null : invoiceCreation(fields.invoice_creation),
      livemode: false,
      locale: fields.locale ?? null,
      metadata: params.changeMetadata({}, fields.metadata),
      mode: fields.mode,
      payment_intent: null,
      payment_link: null,
      payment_method_collection: isSubscription ? "always" : "if_required",
      payment_method_configuration_details: null,
      payment_method_options: { card: { request_three_d_secure: "automatic" } },
      payment_method_types: ["card"],
      payment_status: "unpaid",
      permissions: null,
      phone_number_collection: { enabled: false },
      recovered_from: null,
      saved_payment_method_options: null,
      setup_intent: null,
      shipping_address_collection: null,
      shipping_cost: null,
      shipping_options: [],
      status: "open",
      submit_type: null,
      subscription: null,
      success_url: fields.success_url,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: "hosted",
      url: store.urlOf("pay", id),
    },
    {
      lines: [line],
      paymentIntent: { metadata: params.changeMetadata({}, fields.payment_intent_data?.metadata) },
      subscription: { metadata: params.changeMetadata({}, fields.subscription_data?.metadata) },
    },
  );
}

function invoiceCreation(wanted: Fields["invoice_creation"]): Stripe.Checkout.Session.InvoiceCreation {
  return {
    enabled: wanted?.enabled ?? false,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: wanted?.invoice_data.description ?? null,
      footer: null,
      issuer: null,
      metadata: null,
      rendering_options: null,
    },
  };
}

function newLine(store: Store, { mode, line_items: [item], currency }: Fields) {
  const type = mode === "subscription" ? "recurring" : "one_time";
  const price = priceOfType(store, item?.price ?? "", type, "line_items[0][price]");
  const sold = currency ?? price.currency;
  const amount = amountIn(store, price, sold);
  return { id: newId("li"), price: price.id, amount, currency: sold, description: productName(store, price.id) };
}

/** @throws {StripeError} 400 if it is no longer open */
export function expireSession(store: Store, id: string): Session {
  const { status } = store.get("checkout.session", id);
  if (status !== "open") {
    const rule = 'Only Checkout Sessions with a status in ["open"] can be expired.';
    throw invalidRequest(`${rule} This Session has a status of ${status}.`);
  }
  return store.update(
    "checkout.session",
    id,
    (draft) => Object.assign(draft, { status: "expired", url: null }),
    "checkout.session.expired",
  );
}

/** Line items of a checkout session. */
export function lineItemsOf(store: Store, sessionId: string): Stripe.LineItem[] {
  const { lines = [] } = store.notes("checkout.session", sessionId);
  return lines.map(({ id, price, amount, currency, description }) => ({
    id,
    object: "item",
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency,
    description,
    price: store.get("price", price),
    quantity: 1,
  }));
}
