import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { amountIn } from "./catalogue";
import { findCustomer } from "./customers";
import { missing, unusable } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import { localeName } from "~/billing/demo/protocol/locale-names";
import { idOf, type Notes } from "~/billing/demo/store/objects";
import * as take from "~/billing/demo/protocol/parameters";
import { mustShareCurrency } from "./subscription-states";

const DAY_SECONDS = 86_400;
const SHORTEST_LIFE_SECONDS = 30 * 60;

export const newSession = z.strictObject({
  mode: z.enum(["payment", "subscription"]),
  line_items: z.array(z.strictObject({ price: take.text, quantity: take.integerFrom(1).default(1) })).min(1).max(20),
  success_url: take.url,
  cancel_url: take.url.optional(),
  client_reference_id: take.text.max(200).optional(),
  customer: take.text.optional(),
  customer_email: take.email.optional(),
  customer_creation: z.enum(["always", "if_required"]).optional(),
  currency: take.currency.optional(),
  expires_at: take.integer.optional(),
  locale: localeName.optional(),
  metadata: take.metadata.optional(),
  allow_promotion_codes: take.truth.optional(),
  billing_address_collection: z.enum(["auto", "required"]).optional(),
  payment_method_types: z.array(z.literal("card")).optional(),
  invoice_creation: z
    .strictObject({ enabled: take.truth, invoice_data: z.strictObject({ description: take.clearable.optional() }).optional() })
    .optional(),
  submit_type: z.enum(["auto", "book", "donate", "pay", "subscribe"]).optional(),
  payment_intent_data: z
    .strictObject({ metadata: take.metadata.optional(), description: take.clearable.optional() })
    .optional(),
  subscription_data: z
    .strictObject({
      metadata: take.metadata.optional(),
      description: take.clearable.optional(),
      trial_period_days: take.integerFrom(1, 730).optional(),
    })
    .optional(),
  custom_text: z.strictObject({ submit: z.strictObject({ message: take.text.max(1_200) }).optional() }).optional(),
  ui_mode: z.literal("hosted").optional(),
  expand: take.expand,
});

export const sessionList = z.strictObject({
  ...take.paging,
  customer: take.text.optional(),
  payment_intent: take.text.optional(),
  subscription: take.text.optional(),
  status: z.enum(["complete", "expired", "open"]).optional(),
  customer_details: z.strictObject({ email: take.text }).optional(),
  created: take.timeFilter.optional(),
});

export const changedSession = z.strictObject({ metadata: take.metadata.optional(), expand: take.expand });

type Session = Stripe.Checkout.Session;
type Fields = z.output<typeof newSession>;

/** @throws {StripeError} 400 for parameters that contradict each other */
export function createSession(store: Store, fields: Fields, publicUrl: string): Session {
  const isSubscription = fields.mode === "subscription";
  if (fields.customer && fields.customer_email) {
    throw unusable("You may only specify one of these parameters: customer, customer_email.", { param: "customer_email" });
  }
  const foreign = isSubscription ? "payment_intent_data" : "subscription_data";
  if (isSubscription && fields.invoice_creation) {
    throw unusable("You can only enable invoice creation when `mode` is set to `payment`.", { param: "invoice_creation" });
  }
  if (fields[foreign]) throw unusable(`You can not pass \`${foreign}\` in \`${fields.mode}\` mode.`, { param: foreign });
  const customer = fields.customer ? findCustomer(store, fields.customer) : null;
  const { lines, currency } = readLines(store, fields);
  if (isSubscription && customer) mustShareCurrency(store, customer.id, currency);
  const total = lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0);
  const trialDays = fields.subscription_data?.trial_period_days ?? null;
  const amountNow = trialDays ? 0 : total;
  const id = newId("cs_test");
  return store.create(
    "checkout.session",
    {
      id,
      object: "checkout.session",
      adaptive_pricing: { enabled: false },
      after_expiration: null,
      allow_promotion_codes: fields.allow_promotion_codes ?? null,
      amount_subtotal: amountNow,
      amount_total: amountNow,
      automatic_tax: { enabled: false, liability: null, status: null },
      billing_address_collection: fields.billing_address_collection ?? null,
      cancel_url: fields.cancel_url ?? null,
      client_reference_id: fields.client_reference_id ?? null,
      client_secret: null,
      collected_information: null,
      consent: null,
      consent_collection: null,
      created: store.seconds(),
      currency,
      currency_conversion: null,
      custom_fields: [],
      custom_text: { after_submit: null, shipping_address: null, submit: fields.custom_text?.submit ?? null, terms_of_service_acceptance: null },
      customer: customer?.id ?? null,
      customer_creation: customer ? null : isSubscription || fields.invoice_creation?.enabled ? "always" : (fields.customer_creation ?? "if_required"),
      customer_details: customer ? { ...detailsOf(customer.email), name: customer.name ?? null } : null,
      customer_email: fields.customer_email ?? null,
      discounts: [],
      expires_at: expiryOf(fields.expires_at, store.seconds()),
      invoice: null,
      invoice_creation: isSubscription ? null : invoiceCreation(fields.invoice_creation),
      livemode: false,
      locale: fields.locale ?? null,
      metadata: take.changeMetadata({}, fields.metadata),
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
      submit_type: fields.submit_type ?? null,
      subscription: null,
      success_url: fields.success_url,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: "hosted",
      url: `${publicUrl}/pay/${id}`,
    },
    {
      lines,
      paymentIntent: dataOf(fields.payment_intent_data),
      subscription: { ...dataOf(fields.subscription_data), trialDays },
    },
  );
}

function invoiceCreation(wanted: Fields["invoice_creation"]): Stripe.Checkout.Session.InvoiceCreation {
  return {
    enabled: wanted?.enabled ?? false,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: wanted?.invoice_data?.description ?? null,
      footer: null,
      issuer: null,
      metadata: null,
      rendering_options: null,
    },
  };
}

export function detailsOf(email: string | null): Stripe.Checkout.Session.CustomerDetails {
  return { address: null, email, name: null, phone: null, tax_exempt: "none", tax_ids: null };
}

function dataOf(data: { metadata?: take.MetadataChange; description?: string | null } = {}) {
  return { metadata: take.changeMetadata({}, data.metadata), description: data.description ?? null };
}

function expiryOf(wanted: number | undefined, now: number): number {
  if (wanted === undefined) return now + DAY_SECONDS;
  if (wanted >= now + SHORTEST_LIFE_SECONDS && wanted <= now + DAY_SECONDS) return wanted;
  const message = "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.";
  throw unusable(message, { param: "expires_at" });
}

function readLines(store: Store, fields: Fields): { lines: Notes["checkout.session"]["lines"]; currency: string } {
  const found = fields.line_items.map(({ price: id, quantity }, index) => {
    const param = `line_items[${index}][price]`;
    const price = store.find("price", id);
    if (!price) throw missing("price", id, param);
    if (!price.active) throw unusable("The price specified is inactive. This field only accepts active prices.", { param });
    if (fields.mode === "payment" && price.type === "recurring") {
      throw unusable("You specified `payment` mode but passed a recurring price.", { param });
    }
    if (fields.mode === "subscription" && price.type === "one_time") {
      throw unusable("The cashier takes recurring prices alone in `subscription` mode.", { param });
    }
    return { price, quantity, param };
  });
  if (fields.mode === "subscription" && found.length > 1) {
    throw unusable("The cashier takes one price in `subscription` mode.", { param: "line_items[1][price]" });
  }
  const currency = fields.currency ?? found[0]?.price.currency ?? "eur";
  const lines = found.map(({ price, quantity, param }) => ({
    id: newId("li"),
    price: price.id,
    quantity,
    amount: amountIn(store, price, currency, param),
    currency,
    description: store.get("product", idOf(price.product) ?? "").name,
  }));
  return { lines, currency };
}

export function updateSession(store: Store, id: string, { metadata }: z.output<typeof changedSession>): Session {
  store.get("checkout.session", id, "session");
  return store.update("checkout.session", id, (draft) => {
    draft.metadata = take.changeMetadata(draft.metadata ?? {}, metadata);
  });
}

/** @throws {StripeError} 400 if it is not open any more */
export function expireSession(store: Store, id: string): Session {
  const session = store.get("checkout.session", id, "session");
  if (session.status !== "open") {
    const rule = 'Only Checkout Sessions with a status in ["open"] can be expired.';
    throw unusable(`${rule} This Session has a status of ${session.status}.`);
  }
  return store.update(
    "checkout.session",
    id,
    (draft) => Object.assign(draft, { status: "expired", url: null }),
    "checkout.session.expired",
  );
}
