import { setImmediate as nextTurn } from "node:timers/promises";
import type { BillingProvider, Checkout, PlanPrice, ProviderInvoice, ProviderPayment, ProviderSubscription } from "~/billing/provider";
import { ForgedEvent, ProviderUnavailable, SeveralCustomers } from "~/billing/billing-errors";

const PRICES: PlanPrice[] = (["basic", "pro"] as const).flatMap((plan) =>
  (["month", "once"] as const).map((rhythm) => ({
    id: `price_${plan}_${rhythm}`,
    plan,
    rhythm,
    urlLimit: plan === "basic" ? 1 : 5,
    amounts: { eur: 1_500, usd: 1_500 },
  })),
);

/** Payment provider in memory, without HTTP: for rules that apply to every provider. */
export interface ProviderDouble extends BillingProvider {
  readonly customers: Map<string, string>;
  readonly subscriptions: ProviderSubscription[];
  readonly payments: ProviderPayment[];
  readonly invoices: ProviderInvoice[];
  readonly checkouts: Map<string, Checkout>;
  /** Received calls, by method. */
  readonly calls: string[];
  /** Whether every call fails. */
  down: boolean;
  /** Pays at the checkout of an order. */
  pay(orderId: string): void;
  /** Lets the unpaid checkout of an order expire, and forgets its idempotency key. */
  expire(orderId: string): void;
}

export function createProviderDouble(): ProviderDouble {
  const calls: string[] = [];
  const byOrder = new Map<string, { checkout: Checkout; price: PlanPrice }>();
  const double: ProviderDouble = {
    customers: new Map(),
    subscriptions: [],
    payments: [],
    invoices: [],
    checkouts: new Map(),
    calls,
    down: false,

    prices: () => answer("prices", () => PRICES),
    findCustomer: (key) =>
      answer("findCustomer", () => {
        const found = [...double.customers].filter(([, owner]) => owner === key);
        if (found.length > 1) throw new SeveralCustomers(found.length);
        return found[0]?.[0] ?? null;
      }),
    createCustomer: ({ id, key }) =>
      answer("createCustomer", () => {
        double.customers.set(`cus_${id}`, key);
        return `cus_${id}`;
      }),
    startCheckout: ({ id, customer, price }) =>
      answer("startCheckout", () => {
        const known = byOrder.get(id)?.checkout;
        const checkout: Checkout = known ?? {
          id: `cs_${id}`,
          url: `https://provider.example/pay/${id}`,
          customer,
          status: "open",
          rhythm: price.rhythm,
          paid: false,
        };
        byOrder.set(id, { checkout, price });
        double.checkouts.set(checkout.id, checkout);
        return { ...checkout };
      }),
    checkout: (id) =>
      answer("checkout", () => {
        const checkout = double.checkouts.get(id);
        if (!checkout) throw new ProviderUnavailable("No such checkout session");
        return { ...checkout };
      }),
    startInvoice: ({ id, customer, price, daysUntilDue }) =>
      answer("startInvoice", () => {
        const known = byOrder.get(id)?.checkout;
        if (known) return { ...known };
        const page = `https://provider.example/invoice/${id}`;
        const state = { status: "open", rhythm: price.rhythm, paid: false } as const;
        const checkout: Checkout = { ...state, id: `in_${id}`, url: page, customer };
        byOrder.set(id, { checkout, price });
        double.checkouts.set(checkout.id, checkout);
        const terms = { number: "R-1", status: "open", planName: price.plan, amount: 1_500, total: 1_500, currency: "eur" } as const;
        double.invoices.push({ ...terms, id: checkout.id, order: id, createdAt: 1, dueAt: daysUntilDue * 86_400_000, url: page });
        return { ...checkout };
      }),
    invoice: (id) => double.checkout(id),
    cancelUnpaid: (kind, id) =>
      answer("cancelUnpaid", () => {
        if (kind === "subscription") return end(id);
        const checkout = double.checkouts.get(id);
        if (checkout?.status === "open") Object.assign(checkout, { status: "expired", url: null });
        const invoice = double.invoices.find((each) => each.id === id);
        if (invoice?.status === "open") invoice.status = "void";
        return checkout?.status !== "complete" || checkout.paid;
      }),
    refundSubscription: (id) =>
      answer("refundSubscription", () => {
        const given = double.subscriptions.find((each) => each.id === id);
        if (given) given.status = "canceled";
        return true;
      }),
    purchasesOf: () =>
      answer("purchasesOf", () => ({
        subscriptions: structuredClone(double.subscriptions),
        payments: structuredClone(double.payments),
        invoices: structuredClone(double.invoices),
      })),
    writeUrls: (kind, id, urls) =>
      answer("writeUrls", () => {
        const all: { id: string; urls: string[] }[] = kind === "subscription" ? double.subscriptions : double.payments;
        const bought = all.find((each) => each.id === id);
        if (bought) bought.urls = urls;
      }),
    openPortal: (customer) => answer("openPortal", () => `https://provider.example/portal/${customer}`),
    readEvent(payload, signature) {
      if (signature !== "right") throw new ForgedEvent("the signature does not fit");
      return JSON.parse(payload) as ReturnType<BillingProvider["readEvent"]>;
    },

    expire(orderId) {
      Object.assign(byOrder.get(orderId)?.checkout ?? {}, { status: "expired", url: null });
      byOrder.delete(orderId);
    },

    pay(orderId) {
      const order = byOrder.get(orderId);
      if (!order) throw new Error(`nobody has ordered ${orderId}`);
      Object.assign(order.checkout, { status: "complete", paid: true, url: null });
      const invoice = double.invoices.find(({ id }) => id === order.checkout.id);
      if (invoice) Object.assign(invoice, { status: "paid", amount: 0 });
      const bought = { plan: order.price.plan, planName: order.price.plan, urlLimit: order.price.urlLimit, amount: 1_500, currency: "eur", urls: [] };
      if (order.price.rhythm === "month") {
        const states = { order: orderId, status: "active", byInvoice: invoice !== undefined, paid: true, cancelAtPeriodEnd: false, paused: false } as const;
        double.subscriptions.push({ ...bought, ...states, id: `sub_${orderId}`, createdAt: 1, periodStart: 0, periodEnd: 9 });
      } else {
        double.payments.push({ ...bought, id: `pi_${orderId}`, createdAt: 1, status: "succeeded", paidAt: Date.now(), refunded: "no", disputed: false });
      }
    },
  };
  return double;

  /** Ends an unpaid subscription. */
  function end(id: string): boolean {
    const subscription = double.subscriptions.find((each) => each.id === id);
    if (subscription?.paid) return false;
    if (subscription) subscription.status = "canceled";
    return true;
  }

  /** Reads the state at the time of the call, but delays the answer, so that later answers may be faster. */
  async function answer<Answer>(name: string, read: () => Answer): Promise<Answer> {
    calls.push(name);
    if (double.down) throw new ProviderUnavailable("connection refused");
    const known = read();
    for (let turns = calls.length % 3; turns > 0; turns -= 1) await nextTurn();
    return known;
  }
}
