import type Stripe from "stripe";
import { termsOfProduct, type ProductTerms } from "~/billing/plans/product-terms";
import type { ProviderInvoice, ProviderPayment, ProviderSubscription, Purchases } from "~/billing/provider";
import { callProvider } from "./call-provider.server";
import { decisiveIntent, idOf, intentsOf, isPayment, orderOf, subscriptionOf } from "./references";
import { fromMetadata } from "~/billing/websites/url-list";
import type { EventLog } from "~/platform/event-log";

const PRODUCT_KEPT_MS = 300_000;
/** Maximum number of objects per list; customers do not have more. */
const MOST = 1_000;
/** Statuses of disputes that ended in our favour. */
const WON = ["won", "warning_closed"];

/** Collection method of an invoice that is sent by mail and paid by hand. */
const SENT = "send_invoice";

/** Reads all purchases of a customer. */
export function createPurchaseReader(stripe: Stripe, log: EventLog): (customer: string) => Promise<Purchases> {
  /** Cache of products: they rarely change. */
  const products = new Map<string, { product: Promise<Stripe.Product>; until: number }>();

  return async (customer) => {
    const [subscriptions, intents, invoices] = await Promise.all([
      callProvider(
        stripe.subscriptions
          .list({ customer, status: "all", limit: 100, expand: ["data.items.data.price"] })
          .autoPagingToArray({ limit: MOST }),
      ),
      callProvider(
        stripe.paymentIntents
          .list({ customer, limit: 100, expand: ["data.latest_charge"] })
          .autoPagingToArray({ limit: MOST }),
      ),
      callProvider(
        stripe.invoices
          .list({ customer, limit: 100, expand: ["data.payments"] })
          .autoPagingToArray({ limit: MOST }),
      ),
    ]);
    const own = invoices.filter((invoice) => subscriptionOf(invoice) === null && orderOf(invoice) !== null);
    const ofInvoices = new Set([...own, ...invoices.filter((invoice) => subscriptionOf(invoice) !== null)].flatMap(intentsOf));
    const payments = await Promise.all([
      ...intents.filter(({ id }) => !ofInvoices.has(id)).map((intent) => paymentOf(intent, invoices)),
      ...own.map((invoice) => billed(invoice, decisiveIntent(invoice, intents))),
    ]);
    return {
      subscriptions: await Promise.all(subscriptions.map((each) => subscribed(each, invoices))),
      payments: payments.filter((payment) => payment !== null),
      invoices: await Promise.all(invoices.filter(isShown).map(shown)),
    };
  };

  async function subscribed(subscription: Stripe.Subscription, invoices: Stripe.Invoice[]): Promise<ProviderSubscription> {
    const { id, status, metadata, created, cancel_at_period_end, collection_method, pause_collection, currency } = subscription;
    const [item] = subscription.items.data;
    const byInvoice = collection_method === SENT;
    return {
      id,
      order: metadata.order ?? null,
      status,
      ...(await termsOf(item?.price.product ?? null)),
      // Amount in the subscription's own currency.
      amount: item?.plan.amount ?? item?.price.unit_amount ?? 0,
      currency,
      createdAt: created * 1_000,
      urls: fromMetadata(metadata),
      byInvoice,
      paid: !byInvoice || (await hasBeenPaid(id, invoices)),
      cancelAtPeriodEnd: cancel_at_period_end,
      paused: pause_collection !== null,
      periodStart: (item?.current_period_start ?? created) * 1_000,
      periodEnd: (item?.current_period_end ?? created) * 1_000,
    };
  }

  async function hasBeenPaid(subscription: string, invoices: Stripe.Invoice[]): Promise<boolean> {
    if (invoices.some((invoice) => subscriptionOf(invoice) === subscription && isPayment(invoice))) return true;
    // Earlier periods may have been charged to a card.
    const { data } = await callProvider(stripe.invoices.list({ subscription, status: "paid", limit: 100 }));
    return data.some(isPayment);
  }

  /** @returns null if it is no separate purchase: a subscription's payment, or a product of others */
  async function paymentOf(intent: Stripe.PaymentIntent, invoices: Stripe.Invoice[]): Promise<ProviderPayment | null> {
    const { data } = await callProvider(
      stripe.checkout.sessions.list({ payment_intent: intent.id, expand: ["data.line_items"], limit: 1 }),
    );
    const [session] = data;
    const price = session?.line_items?.data[0]?.price;
    if (!session) log("No session found for payment", { payment: intent.id });
    if (!session || session.mode !== "payment" || !price) return null;
    const isPaid = intent.status === "succeeded";
    return {
      id: intent.id,
      paidAt: isPaid ? paidAt(intent, invoices.find(({ id }) => id === idOf(session.invoice))) : null,
      status: isPaid ? "succeeded" : intent.status === "processing" ? "pending" : "failed",
      ...(await termsOf(price.product)),
      amount: intent.amount,
      currency: intent.currency,
      createdAt: intent.created * 1_000,
      urls: fromMetadata(intent.metadata),
      ...(await givenBack(intent)),
    };
  }

  /**
   * @param intent null if it is paid from the customer's credit balance, or outside of the provider
   * @returns null if nothing has been bought: an invoice is an offer until it is paid
   */
  async function billed(invoice: Stripe.Invoice, intent: Stripe.PaymentIntent | null): Promise<ProviderPayment | null> {
    const { id = "", status, metadata, total, currency, created } = invoice;
    const isPaid = status === "paid";
    // The invoice becomes paid a moment after its payment has succeeded.
    if (!isPaid && intent?.status !== "processing" && intent?.status !== "succeeded") return null;
    return {
      id: intent?.id ?? id,
      paidAt: isPaid ? paidAt(intent, invoice) : null,
      status: isPaid ? "succeeded" : "pending",
      ...(await termsOf(productIn(invoice))),
      amount: total,
      currency,
      createdAt: created * 1_000,
      urls: fromMetadata(intent?.metadata ?? metadata ?? {}),
      ...(intent ? await givenBack(intent) : { refunded: "no", disputed: false }),
    };
  }

  async function givenBack({ id, latest_charge }: Stripe.PaymentIntent): Promise<Pick<ProviderPayment, "refunded" | "disputed">> {
    const charge = typeof latest_charge === "object" ? latest_charge : null;
    return {
      refunded: charge?.refunded ? "fully" : (charge?.amount_refunded ?? 0) > 0 ? "partly" : "no",
      disputed: charge?.disputed === true && (await isDisputed(id)),
    };
  }

  /** Disputes of a charge are read, because its `disputed` stays true forever. */
  async function isDisputed(intent: string): Promise<boolean> {
    const { data } = await callProvider(stripe.disputes.list({ payment_intent: intent, limit: 100 }));
    return data.length === 0 || data.some(({ status }) => !WON.includes(status));
  }

  async function shown(invoice: Stripe.Invoice): Promise<ProviderInvoice> {
    const { id = "", number, status, amount_remaining, total, currency, created, due_date, hosted_invoice_url } = invoice;
    return {
      id,
      order: orderOf(invoice),
      number,
      status: status === "open" || status === "paid" ? status : "void",
      planName: (await termsOf(productIn(invoice))).planName,
      amount: amount_remaining,
      total,
      currency,
      createdAt: created * 1_000,
      dueAt: due_date === null ? null : due_date * 1_000,
      url: hosted_invoice_url ?? null,
    };
  }

  async function termsOf(reference: Reference | null): Promise<ProductTerms> {
    const product = reference === null ? { id: null, name: "", metadata: {} } : await productOf(reference);
    return termsOfProduct(product, (missing) => {
      if (missing === "urls") log("Error in getLimit", { product: product.id, reason: "its metadata says no `urls`" });
      else log("product without a plan", { product: product.id });
    });
  }

  function productOf(reference: Reference): Promise<Stripe.Product> {
    if (typeof reference !== "string" && !reference.deleted) return Promise.resolve(reference);
    const id = idOf(reference) ?? "";
    const known = products.get(id);
    if (known && known.until > Date.now()) return known.product;
    const product = callProvider(stripe.products.retrieve(id)) as Promise<Stripe.Product>;
    products.set(id, { product, until: Date.now() + PRODUCT_KEPT_MS });
    product.catch(() => products.delete(id));
    return product;
  }
}

type Reference = Stripe.Price["product"];

/** Invoices to be paid by hand, except drafts, and all paid ones: the provider handles automatic charges. */
const isShown = ({ status, collection_method: method }: Stripe.Invoice): boolean =>
  status === "paid" || (method === SENT && status !== "draft");

/** Time of payment, Unix time in ms: invoices have it also for payment methods that take days. */
function paidAt(intent: Stripe.PaymentIntent | null, invoice: Stripe.Invoice | undefined): number {
  const charge = intent && typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const seconds = invoice?.status_transitions.paid_at ?? charge?.created ?? intent?.created ?? invoice?.created ?? 0;
  return seconds * 1_000;
}

/** Product of an invoice, by its first line: costs of a plan change come after it. */
function productIn({ lines }: Stripe.Invoice): string | null {
  return lines.data[0]?.pricing?.price_details?.product ?? null;
}
