import type Stripe from "stripe";
import { ForgedEvent, ProviderUnavailable, SeveralCustomers } from "~/lib/billing-errors";
import { readPrices, urlLimitOf } from "./catalogue.server";
import type { BillingProvider, Checkout, PlanPrice, ProviderPayment, ProviderSubscription } from "./provider";
import { fromMetadata, toMetadata } from "./url-list";

const CATALOGUE_KEPT_MS = 300_000;
const WEBHOOK_TOLERANCE_SECONDS = 300;
/** More purchases than that nobody makes. */
const MOST_PURCHASES = 1_000;

export interface StripeProviderOptions {
  stripe: Stripe;
  /** Signs events; null believes none. */
  webhookSecret: string | null;
}

/** Stripe (https://docs.stripe.com/api, version 2025-03-31.basil), or what speaks its protocol. */
export function createStripeProvider({ stripe, webhookSecret }: StripeProviderOptions): BillingProvider {
  let catalogue: { prices: Promise<PlanPrice[]>; until: number } | undefined;
  /** Products change so rarely that each is asked for once a while. */
  const products = new Map<string, { product: Promise<Stripe.Product>; until: number }>();

  return {
    prices() {
      if (!catalogue || catalogue.until < Date.now()) {
        const prices = reached(readPrices(stripe));
        catalogue = { prices, until: Date.now() + CATALOGUE_KEPT_MS };
        prices.then(
          // Nobody has set it up yet, or it could not be asked for: the next one looks again.
          (found) => found.length === 0 && (catalogue = undefined),
          () => (catalogue = undefined),
        );
      }
      return catalogue.prices;
    },

    async customerOf({ id, key, email }) {
      const query = `metadata['auth0_id']:'${key.replaceAll(/['\\]/g, "\\$&")}'`;
      const { data } = await reached(stripe.customers.search({ query, expand: ["data.subscriptions"], limit: 10 }));
      if (data.length > 1) throw new SeveralCustomers(data.length);
      if (data[0]) return data[0].id;
      // Who was created a moment ago may not be found yet; the key leads to them.
      const created = await reached(
        stripe.customers.create({ email, metadata: { auth0_id: key } }, { idempotencyKey: `customer-${id}` }),
      );
      return created.id;
    },

    async startCheckout({ id, customer, price, currency, locale, url, successUrl, cancelUrl }) {
      const metadata = { order: id, ...(url ? { url } : {}) };
      const created = await reached(
        stripe.checkout.sessions.create(
          {
            customer,
            client_reference_id: id,
            line_items: [{ price: price.id, quantity: 1 }],
            currency,
            locale,
            success_url: successUrl,
            cancel_url: cancelUrl,
            metadata,
            ...(price.rhythm === "month"
              ? { mode: "subscription", subscription_data: { metadata } }
              : { mode: "payment", payment_intent_data: { metadata } }),
          },
          { idempotencyKey: `checkout-${id}` },
        ),
      );
      // The same key gives the first answer again, which may be out of date.
      return toCheckout(await reached(stripe.checkout.sessions.retrieve(created.id)));
    },

    async checkout(id) {
      return toCheckout(await reached(stripe.checkout.sessions.retrieve(id)));
    },

    async purchasesOf(customer) {
      const [subscriptions, intents] = await Promise.all([
        reached(
          stripe.subscriptions
            .list({ customer, status: "all", limit: 100, expand: ["data.items.data.price"] })
            .autoPagingToArray({ limit: MOST_PURCHASES }),
        ),
        reached(
          stripe.paymentIntents
            .list({ customer, limit: 100, expand: ["data.latest_charge"] })
            .autoPagingToArray({ limit: MOST_PURCHASES }),
        ),
      ]);
      const payments = await Promise.all(intents.map(paymentOf));
      return {
        subscriptions: await Promise.all(subscriptions.map(subscriptionOf)),
        payments: payments.filter((payment) => payment !== null),
      };
    },

    async writeUrls(kind, id, urls) {
      if (kind === "subscription") {
        const { metadata } = await reached(stripe.subscriptions.retrieve(id));
        await reached(stripe.subscriptions.update(id, { metadata: toMetadata(urls, Object.keys(metadata)) }));
      } else {
        const { metadata } = await reached(stripe.paymentIntents.retrieve(id));
        await reached(stripe.paymentIntents.update(id, { metadata: toMetadata(urls, Object.keys(metadata)) }));
      }
    },

    async openPortal(customer, returnUrl, locale) {
      const session = await reached(
        stripe.billingPortal.sessions.create({ customer, return_url: returnUrl, locale }),
      );
      return session.url;
    },

    readEvent(payload, signature) {
      if (webhookSecret === null) throw new ForgedEvent("there is no secret to check it by");
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(payload, signature, webhookSecret, WEBHOOK_TOLERANCE_SECONDS);
      } catch (error) {
        throw new ForgedEvent("the signature does not fit", { cause: error });
      }
      const { id, type, created, data } = event;
      return {
        id,
        type,
        createdAt: created * 1_000,
        customer: customerIn(data.object),
        payment: idIn(data.object, "payment_intent"),
      };
    },
  };

  async function subscriptionOf(subscription: Stripe.Subscription): Promise<ProviderSubscription> {
    const { id, status, metadata, created, cancel_at_period_end, collection_method, pause_collection, currency } = subscription;
    const [item] = subscription.items.data;
    const product = item && (await productOf(item.price));
    return {
      id,
      status: status,
      planName: product?.name ?? "",
      urlLimit: product ? urlLimitOf(product) : 0,
      // Of the price in the subscription's own currency.
      amount: item?.plan.amount ?? item?.price.unit_amount ?? 0,
      currency,
      createdAt: created * 1_000,
      urls: fromMetadata(metadata),
      byInvoice: collection_method === "send_invoice",
      cancelAtPeriodEnd: cancel_at_period_end,
      paused: pause_collection !== null,
      periodStart: (item?.current_period_start ?? created) * 1_000,
      periodEnd: (item?.current_period_end ?? created) * 1_000,
    };
  }

  /** @returns null for what is no purchase of its own: an invoice of a subscription, or somebody else's product */
  async function paymentOf(intent: Stripe.PaymentIntent): Promise<ProviderPayment | null> {
    const { data } = await reached(
      stripe.checkout.sessions.list({ payment_intent: intent.id, expand: ["data.line_items"], limit: 1 }),
    );
    const [session] = data;
    const price = session?.line_items?.data[0]?.price;
    if (!session || session.mode !== "payment" || !price) return null;
    const product = await productOf(price);
    const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
    return {
      id: intent.id,
      status: intent.status === "succeeded" ? "succeeded" : intent.status === "processing" ? "pending" : "failed",
      planName: product.name,
      urlLimit: urlLimitOf(product),
      amount: intent.amount,
      currency: intent.currency,
      createdAt: intent.created * 1_000,
      urls: fromMetadata(intent.metadata),
      refunded: charge?.refunded ? "fully" : (charge?.amount_refunded ?? 0) > 0 ? "partly" : "no",
      disputed: charge?.disputed ?? false,
    };
  }

  function productOf({ product: reference }: Stripe.Price): Promise<Stripe.Product> {
    if (typeof reference !== "string" && !reference.deleted) return Promise.resolve(reference);
    const id = typeof reference === "string" ? reference : reference.id;
    const known = products.get(id);
    if (known && known.until > Date.now()) return known.product;
    const product = reached(stripe.products.retrieve(id)) as Promise<Stripe.Product>;
    products.set(id, { product, until: Date.now() + CATALOGUE_KEPT_MS });
    product.catch(() => products.delete(id));
    return product;
  }
}

async function reached<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw new ProviderUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function toCheckout({ id, url, customer, status, payment_status, metadata }: Stripe.Checkout.Session): Checkout {
  return {
    id,
    url,
    customer: typeof customer === "string" ? customer : (customer?.id ?? null),
    status: status ?? "open",
    paid: payment_status !== "unpaid",
    boughtFor: metadata?.url ?? null,
  };
}

function customerIn(object: object): string | null {
  const { object: kind } = object as { object?: unknown };
  return idIn(object, kind === "customer" ? "id" : "customer");
}

/** Of what an object refers to, expanded or not. */
function idIn(object: object, name: string): string | null {
  const reference = (object as Record<string, unknown>)[name];
  if (typeof reference === "string") return reference;
  return reference !== null && typeof reference === "object" && "id" in reference ? String(reference.id) : null;
}
