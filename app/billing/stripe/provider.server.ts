import type Stripe from "stripe";
import { z } from "zod";
import { ForgedEvent, MalformedEvent, SeveralCustomers } from "~/billing/billing-errors";
import { hashOf } from "~/platform/crypto/tokens.server";
import type { EventLog } from "~/platform/event-log";
import { readPrices } from "~/billing/plans/catalogue.server";
import { oneTimeTerm } from "~/billing/plans/one-time-term";
import type { BillingProvider, Checkout, CheckoutOrder } from "~/billing/provider";
import { callProvider } from "./call-provider.server";
import { startInvoice, toOrderState } from "./invoices.server";
import { createPurchaseReader } from "./purchases.server";
import { idOf } from "./references";
import { cancelUnpaid, hasFailed, refundSubscription } from "./cancellations.server";
import { orderMetadata, toMetadata } from "~/billing/websites/url-list";

const WEBHOOK_TOLERANCE_SECONDS = 300;

/** Schema of an event, only with the needed parts. */
const EVENT = z.object({ id: z.string(), type: z.string(), created: z.number(), data: z.object({ object: z.record(z.string(), z.unknown()) }) });

export interface StripeProviderOptions {
  stripe: Stripe;
  /** Secret for verifying events; null rejects all events. */
  webhookSecret: string | null;
  log?: EventLog;
  /** Terms of an order, in plain text; empty if the operator has set none. */
  terms?: (locale: CheckoutOrder["locale"]) => string;
}

/** Maximum length of a text in Stripe's checkout. */
const LONGEST_TERMS = 1_200;

/** Stripe (https://docs.stripe.com/api, version 2025-03-31.basil), or a server with the same protocol. */
export function createStripeProvider(options: StripeProviderOptions): BillingProvider {
  const { stripe, webhookSecret, terms = () => "", log = () => {} } = options;
  return {
    prices: () => callProvider(readPrices(stripe)),

    async findCustomer(key) {
      const query = `metadata['auth0_id']:'${key.replaceAll(/['\\]/g, "\\$&")}'`;
      const { data } = await callProvider(stripe.customers.search({ query, expand: ["data.subscriptions"], limit: 10 }));
      if (data.length > 1) throw new SeveralCustomers(data.length);
      return data[0]?.id ?? null;
    },

    async createCustomer({ id, key, email, instead }) {
      // An idempotency key is for one request: the email address may differ at the next attempt.
      const idempotencyKey = ["customer", id, hashOf(email).slice(0, 12), instead].filter(Boolean).join("-");
      const created = await callProvider(stripe.customers.create({ email, metadata: { auth0_id: key } }, { idempotencyKey }));
      return created.id;
    },

    async startCheckout({ id, customer, price, currency, locale, url, successUrl, cancelUrl }) {
      const metadata = orderMetadata(id, url);
      const message = [price.rhythm === "once" ? oneTimeTerm(locale) : "", terms(locale)]
        .filter(Boolean)
        .join("\n\n")
        .slice(0, LONGEST_TERMS);
      const created = await callProvider(
        stripe.checkout.sessions.create(
          {
            customer,
            client_reference_id: id,
            line_items: [{ price: price.id, quantity: 1 }],
            currency,
            locale,
            success_url: successUrl,
            cancel_url: cancelUrl,
            ...(message === "" ? {} : { custom_text: { submit: { message } } }),
            metadata,
            ...(price.rhythm === "month"
              ? { mode: "subscription", subscription_data: { metadata } }
              : {
                  mode: "payment",
                  payment_intent_data: { metadata },
                  // Subscriptions get an invoice automatically.
                  invoice_creation: { enabled: true, invoice_data: { description: oneTimeTerm(locale) } },
                }),
          },
          // A key is for one request: it contains all values that may change before the next attempt.
          { idempotencyKey: ["checkout", id, customer, price.id, currency].join("-") },
        ),
      );
      // The same idempotency key repeats the first answer, which may be out of date.
      return toCheckout(await callProvider(stripe.checkout.sessions.retrieve(created.id)));
    },

    async checkout(id) {
      const session = await callProvider(stripe.checkout.sessions.retrieve(id));
      return { ...toCheckout(session), ...((await hasFailed(stripe, session)) ? { status: "expired" } : {}) };
    },

    startInvoice: (order) => startInvoice(stripe, order),

    async invoice(id) {
      return toOrderState(await callProvider(stripe.invoices.retrieve(id)));
    },

    cancelUnpaid: (kind, id) => cancelUnpaid(stripe, kind, id),

    refundSubscription: (subscription) => refundSubscription(stripe, subscription),

    purchasesOf: createPurchaseReader(stripe, log),

    async writeUrls(kind, id, urls) {
      if (kind === "subscription") {
        const { metadata } = await callProvider(stripe.subscriptions.retrieve(id));
        await callProvider(stripe.subscriptions.update(id, { metadata: toMetadata(urls, Object.keys(metadata)) }));
      } else if (id.startsWith("in_")) {
        const { metadata } = await callProvider(stripe.invoices.retrieve(id));
        await callProvider(stripe.invoices.update(id, { metadata: toMetadata(urls, Object.keys(metadata ?? {})) }));
      } else {
        const { metadata } = await callProvider(stripe.paymentIntents.retrieve(id));
        await callProvider(stripe.paymentIntents.update(id, { metadata: toMetadata(urls, Object.keys(metadata)) }));
      }
    },

    async openPortal(customer, returnUrl, locale) {
      const session = await callProvider(
        stripe.billingPortal.sessions.create({ customer, return_url: returnUrl, locale }),
      );
      return session.url;
    },

    readEvent(payload, signature) {
      if (webhookSecret === null) throw new ForgedEvent("there is no secret to check it by");
      let event: unknown;
      try {
        event = stripe.webhooks.constructEvent(payload, signature, webhookSecret, WEBHOOK_TOLERANCE_SECONDS);
      } catch (error) {
        if (error instanceof SyntaxError) throw new MalformedEvent("it is no JSON", { cause: error });
        throw new ForgedEvent("the signature does not fit", { cause: error });
      }
      // The library only rejects old signatures.
      const signedAt = Number(/(?:^|,)\s*t=(\d+)/.exec(signature)?.[1]);
      if (signedAt > Date.now() / 1_000 + WEBHOOK_TOLERANCE_SECONDS) throw new ForgedEvent("the signature is from the future");
      const read = EVENT.safeParse(event);
      if (!read.success) throw new MalformedEvent("it is no event", { cause: read.error });
      const { id, type, created, data } = read.data;
      return {
        id,
        type,
        createdAt: created * 1_000,
        customer: customerIn(data.object),
        payment: referenceIn(data.object, "payment_intent"),
      };
    },
  };
}

function toCheckout({ id, url, customer, status, mode, payment_status }: Stripe.Checkout.Session): Checkout {
  return {
    id,
    url,
    customer: idOf(customer),
    status: status ?? "open",
    rhythm: mode === "subscription" ? "month" : "once",
    paid: payment_status !== "unpaid",
  };
}

function customerIn(object: object): string | null {
  const { object: kind } = object as { object?: unknown };
  return referenceIn(object, kind === "customer" ? "id" : "customer");
}

function referenceIn(object: object, name: string): string | null {
  return idOf((object as Record<string, Parameters<typeof idOf>[0]>)[name]);
}
