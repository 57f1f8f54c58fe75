import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { unusable } from "~/billing/demo/protocol/stripe-error";
import { lineItemsOf } from "~/billing/demo/objects/line-items";
import { isOver } from "~/billing/demo/objects/subscription-states";

const MOST_LEVELS = 4;

type Tree = Record<string, unknown>;

/**
 * A copy of an answer with whole objects instead of their ids, or with fields that are shown only on request.
 * @param paths such as `latest_invoice.payments` or `data.subscriptions`
 * @throws {StripeError} 400 for a field that cannot be expanded, and for more than four levels
 */
export function expandIn<T extends object>(store: Store, answer: T, paths: string[] = []): T {
  const copy = structuredClone(answer);
  for (const path of paths) {
    const levels = path.split(".");
    if (levels.length > MOST_LEVELS) {
      const rule = `You cannot expand more than ${MOST_LEVELS} levels of a property.`;
      throw unusable(`${rule} Property: ${path}`, { param: "expand" });
    }
    expandPath(copy as Tree, levels, path);
  }
  return copy;

  function expandPath(tree: Tree, [level, ...rest]: string[], path: string): void {
    if (level === undefined) return;
    const value = valueOf(tree, level);
    if (value === undefined) {
      throw unusable(`This property cannot be expanded (${path}).`, { param: "expand" });
    }
    tree[level] = value;
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (typeof inner === "object" && inner !== null) expandPath(inner as Tree, rest, path);
    }
  }

  function valueOf(tree: Tree, level: string): unknown {
    const hidden = HIDDEN[`${String(tree.object)}.${level}`];
    if (hidden) return hidden(store, tree);
    const value = tree[level];
    if (value === null || typeof value === "object") return value;
    return typeof value === "string" ? named(store, value) : undefined;
  }
}

const NOUNS = {
  ch: "charge",
  cus: "customer",
  in: "invoice",
  pi: "payment_intent",
  pm: "payment_method",
  price: "price",
  prod: "product",
  sub: "subscription",
} as const;

function named(store: Store, id: string): object | undefined {
  const [prefix = ""] = id.split("_", 1);
  if (prefix in NOUNS) return store.find(NOUNS[prefix as keyof typeof NOUNS], id);
  // The operator may choose the id of a product.
  return store.find("product", id);
}

/** Fields that are shown only on request, by object and field. */
const HIDDEN: Record<string, (store: Store, tree: Tree) => unknown> = {
  "checkout.session.line_items": (store, { id }) => ({
    object: "list",
    data: lineItemsOf(store, String(id)),
    has_more: false,
    url: `/v1/checkout/sessions/${String(id)}/line_items`,
  }),
  "customer.subscriptions": (store, { id }) => ({
    object: "list",
    data: store.ofCustomer("subscription", String(id)).filter((each) => !isOver(each)),
    has_more: false,
    url: `/v1/customers/${String(id)}/subscriptions`,
  }),
  "invoice.payments": (store, { id }) => ({
    object: "list",
    data: paymentsOf(store, String(id)),
    has_more: false,
    url: "/v1/invoice_payments",
  }),
  "price.currency_options": (store, { id }) => currencyOptionsOf(store, String(id)),
};

function paymentsOf(store: Store, invoiceId: string): Stripe.InvoicePayment[] {
  const invoice = store.get("invoice", invoiceId);
  const { paymentIntent } = store.notes("invoice", invoiceId);
  if (!paymentIntent) return [];
  const { created, currency } = store.get("payment_intent", paymentIntent);
  const isPaid = invoice.status === "paid";
  return [
    {
      id: paymentIntent.replace(/^pi_/, "inpay_"),
      object: "invoice_payment",
      amount_paid: isPaid ? invoice.amount_paid : null,
      amount_requested: invoice.amount_due,
      created,
      currency,
      invoice: invoiceId,
      is_default: true,
      livemode: false,
      payment: { payment_intent: paymentIntent, type: "payment_intent" },
      status: isPaid ? "paid" : "open",
      status_transitions: { canceled_at: null, paid_at: isPaid ? invoice.status_transitions.paid_at : null },
    },
  ];
}

function currencyOptionsOf(store: Store, priceId: string): Record<string, Stripe.Price.CurrencyOptions> {
  const price = store.get("price", priceId);
  const { currencyOptions = {} } = store.notes("price", priceId);
  const amounts = { [price.currency]: price.unit_amount ?? 0, ...currencyOptions };
  return Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [
      currency,
      {
        custom_unit_amount: null,
        tax_behavior: price.tax_behavior,
        unit_amount: amount,
        unit_amount_decimal: String(amount),
      },
    ]),
  );
}
