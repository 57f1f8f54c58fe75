import type Stripe from "stripe";
import { amountsOf } from "~/billing/demo/objects/catalogue";
import { lineItemsOf } from "~/billing/demo/objects/checkout-sessions";
import { paymentOf } from "~/billing/demo/objects/invoices";
import { isOver } from "~/billing/demo/objects/subscriptions";
import { listOf } from "~/billing/demo/protocol/pagination";
import { invalidRequest } from "~/billing/demo/protocol/stripe-error";
import type { Store } from "~/billing/demo/store/store";

const MOST_LEVELS = 4;

type Tree = Record<string, unknown>;

/**
 * Copy of an answer with whole objects in place of their ids, or with fields that are only shown on request.
 * @param paths such as `latest_invoice.payments` or `data.subscriptions`
 * @throws {StripeError} 400 for a field that cannot be expanded, and for more than four levels
 */
export function expandIn<T extends object>(store: Store, answer: T, paths: string[] = []): T {
  const copy = structuredClone(answer);
  for (const path of paths) {
    const levels = path.split(".");
    if (levels.length > MOST_LEVELS) {
      const rule = `You cannot expand more than ${MOST_LEVELS} levels of a property.`;
      throw invalidRequest(`${rule} Property: ${path}`, { param: "expand" });
    }
    expandPath(copy as Tree, levels, path);
  }
  return copy;

  function expandPath(tree: Tree, [level, ...rest]: string[], path: string): void {
    if (level === undefined) return;
    const value = valueOf(tree, level);
    if (value === undefined) {
      throw invalidRequest(`This property cannot be expanded (${path}).`, { param: "expand" });
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

/** Objects that can be expanded, by the prefix of their ids. */
const NOUNS = { ch: "charge", in: "invoice" } as const;

function named(store: Store, id: string): object | undefined {
  const [prefix = ""] = id.split("_", 1);
  if (prefix in NOUNS) return store.find(NOUNS[prefix as keyof typeof NOUNS], id);
  // The operator may choose the id of a product.
  return store.find("product", id);
}

/** Fields that are only shown on request, by object and field. */
const HIDDEN: Record<string, (store: Store, tree: Tree) => unknown> = {
  "checkout.session.line_items": (store, { id }) => listOf(lineItemsOf(store, String(id)), `/v1/checkout/sessions/${String(id)}/line_items`),
  "customer.subscriptions": (store, { id }) =>
    listOf(store.ofCustomer("subscription", String(id)).filter((each) => !isOver(each)), `/v1/customers/${String(id)}/subscriptions`),
  "invoice.payments": (store, { id }) => listOf(paymentsOf(store, String(id)), "/v1/invoice_payments"),
  "price.currency_options": (store, { id }) => currencyOptionsOf(store, String(id)),
};

function paymentsOf(store: Store, invoiceId: string): Stripe.InvoicePayment[] {
  const intent = paymentOf(store, invoiceId);
  if (!intent) return [];
  const { status, amount_paid: paid, amount_due: due, status_transitions: times } = store.get("invoice", invoiceId);
  const isPaid = status === "paid";
  return [
    {
      id: intent.id.replace(/^pi_/, "inpay_"),
      object: "invoice_payment",
      amount_paid: isPaid ? paid : null,
      amount_requested: due,
      created: intent.created,
      currency: intent.currency,
      invoice: invoiceId,
      is_default: true,
      livemode: false,
      payment: { payment_intent: intent.id, type: "payment_intent" },
      status: isPaid ? "paid" : "open",
      status_transitions: { canceled_at: null, paid_at: isPaid ? times.paid_at : null },
    },
  ];
}

function currencyOptionsOf(store: Store, priceId: string): Record<string, Stripe.Price.CurrencyOptions> {
  const price = store.get("price", priceId);
  const options = Object.entries(amountsOf(store, price)).map(([currency, amount]) => [
    currency,
    { custom_unit_amount: null, tax_behavior: price.tax_behavior, unit_amount: amount, unit_amount_decimal: String(amount) },
  ]);
  return Object.fromEntries(options) as Record<string, Stripe.Price.CurrencyOptions>;
}
