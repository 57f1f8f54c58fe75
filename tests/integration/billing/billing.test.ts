import { beforeEach, describe, expect, test } from "vitest";
import { AlreadySubscribed, AwaitingPayment, ProviderUnavailable, SeveralCustomers, UnknownToProvider } from "~/billing/billing-errors";
import { createUsers } from "~/accounts/user.server";
import { order, setUpBilling, type BillingSetUp } from "../../support/billing/billing";
import { subscription } from "../../support/billing/bought";

let db: BillingSetUp["db"];
let provider: BillingSetUp["provider"];
let purchases: BillingSetUp["purchases"];
let runs: BillingSetUp["runs"];
let billing: BillingSetUp["billing"];
let ada: BillingSetUp["ada"];
let logged: BillingSetUp["logged"];
let mails: BillingSetUp["mails"];
let event: BillingSetUp["event"];

beforeEach(async () => {
  ({ db, provider, purchases, runs, billing, ada, logged, mails, event } = await setUpBilling());
});

describe("buying", () => {
  test("the same form sent twice is one order, also at the same time", async () => {
    const addresses = await Promise.all([1, 2, 3].map(() => billing.startCheckout(ada, order("o1"), "de")));
    expect(new Set(addresses)).toEqual(new Set(["https://provider.example/pay/o1"]));
    expect([provider.customers.size, provider.checkouts.size]).toEqual([1, 1]);
  });

  test("a user who never returns from the checkout is entitled, with the URL of the purchase", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    provider.pay("o1");
    await billing.handleEvent(event("evt_1", { type: "checkout.session.completed" }));
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(true);
  });

  describe("for the page of a free check", () => {
    const PAGE = "https://a.example/page";
    const freeCheck = (url = PAGE) => runs.start({ url, scope: "page", standard: { version: "2.2", level: "AA" }, owner: null });
    const pay = async (id: string, checkId: string) => {
      await billing.startCheckout(ada, order(id, { checkId }), "de");
      provider.pay(id);
    };
    const siteScans = () => db.selectFrom("run").select(["id", "url", "owner", "mail_when_done"]).where("scope", "=", "site").execute();

    test("the webhook alone assigns the check to its buyer, and starts the website's scan once", async () => {
      const check = await freeCheck();
      await pay("o1", check.id);
      for (const id of ["evt_1", "evt_1", "evt_2"]) await billing.handleEvent(event(id));
      await billing.reconcile(ada.id);
      const mine = await runs.ofOwner(check.id, ada.id);
      expect(mine).toMatchObject({ owner: ada.id, claimedAt: expect.any(Number) });
      expect(mine?.expiresAt).toBe((mine?.claimedAt ?? 0) + 365 * 86_400_000);
      const scans = await siteScans();
      expect(scans).toEqual([expect.objectContaining({ url: PAGE, owner: ada.id, mail_when_done: 1 })]);
      const state = await billing.outcomeOf(ada, "o1");
      expect(state).toMatchObject({ outcome: "paid", fulfilled: true, scanId: scans[0]?.id, wanted: { plan: "pro", rhythm: "month", url: PAGE, checkId: check.id } });
    });

    test("a browser that returns before the event gets the same, and the event adds nothing", async () => {
      const check = await freeCheck();
      await pay("o1", check.id);
      expect(await billing.outcomeOf(ada, "o1")).toMatchObject({ outcome: "paid", fulfilled: true });
      await Promise.all([billing.handleEvent(event("evt_1")), billing.outcomeOf(ada, "o1")]);
      expect(await runs.ofOwner(check.id, ada.id)).toBeDefined();
      expect(await siteScans()).toHaveLength(1);
    });

    test("a check that is another user's, expired, deleted, of another website or unknown is not assigned; the scan starts", async () => {
      const eve = await createUsers({ db }).recognise({ subject: "auth0|eve", email: "eve@example.org", emailVerified: true, name: "Eve" }, "de");
      const [taken, expired, deleted, other] = [await freeCheck(), await freeCheck(), await freeCheck(), await freeCheck("https://b.example/")];
      expect(await runs.claim(taken.id, eve.id, PAGE)).toBe(true);
      await db.updateTable("run").set({ expires_at: 1 }).where("id", "=", expired.id).execute();
      await db.updateTable("run").set({ deleted_at: 1 }).where("id", "=", deleted.id).execute();
      for (const id of [taken.id, expired.id, deleted.id, other.id, "A".repeat(22)]) {
        expect(await runs.claim(id, ada.id, PAGE), id).toBe(false);
      }
      await pay("o1", taken.id);
      await billing.handleEvent(event("evt_1"));
      expect(await runs.ofOwner(taken.id, eve.id)).toBeDefined();
      expect(await siteScans()).toEqual([expect.objectContaining({ owner: ada.id })]);
    });

    test("an order whose checkout has expired is delivered when it is sent again and paid", async () => {
      const check = await freeCheck();
      await billing.startCheckout(ada, order("o1", { checkId: check.id }), "de");
      provider.expire("o1");
      await billing.reconcile(ada.id);
      expect(await billing.outcomeOf(ada, "o1")).toMatchObject({ outcome: "failed" });
      await pay("o1", check.id);
      await billing.handleEvent(event("evt_1"));
      expect(await billing.outcomeOf(ada, "o1")).toMatchObject({ outcome: "paid", fulfilled: true, scanId: (await siteScans())[0]?.id });
      expect(await runs.ofOwner(check.id, ada.id)).toBeDefined();
    });

    test("an unpaid order does not assign the check", async () => {
      const check = await freeCheck();
      await billing.startCheckout(ada, order("o1", { checkId: check.id }), "de");
      await billing.handleEvent(event("evt_1"));
      expect(await runs.ofOwner(check.id, ada.id)).toBeUndefined();
      expect(await siteScans()).toEqual([]);
    });

    test("the public link of a check stays valid for its original period, and ends if the owner deletes the check", async () => {
      const check = await freeCheck();
      await runs.claim(check.id, ada.id, PAGE);
      expect(await runs.find(check.id, null)).toMatchObject({ id: check.id, expiresAt: check.expiresAt });
      await db.updateTable("run").set({ created_at: Date.now() - 31 * 86_400_000 }).where("id", "=", check.id).execute();
      expect(await runs.find(check.id, null)).toBeUndefined();
      await db.updateTable("run").set({ created_at: Date.now(), deleted_at: Date.now() }).where("id", "=", check.id).execute();
      expect(await runs.find(check.id, null)).toBeUndefined();
    });

    test("a website with a running scan gets no second one", async () => {
      await pay("o1", "");
      await billing.handleEvent(event("evt_1"));
      await billing.startCheckout(ada, order("o2", { plan: "basic", rhythm: "once" }), "de");
      provider.pay("o2");
      await billing.handleEvent(event("evt_2"));
      expect(await siteScans()).toHaveLength(1);
      expect(await billing.outcomeOf(ada, "o2")).toMatchObject({ scanId: (await siteScans())[0]?.id });
    });
  });

  test("a checkout that is complete before its subscription is active still registers its URL", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    provider.pay("o1");
    Object.assign(provider.subscriptions[0] ?? {}, { status: "incomplete" });
    await billing.handleEvent(event("evt_1", { type: "checkout.session.completed" }));
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(false);
    Object.assign(provider.subscriptions[0] ?? {}, { status: "active" });
    await billing.handleEvent(event("evt_2"));
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(true);
  });

  test("the URL of a purchase is registered once, also if the owner has removed it since", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    provider.pay("o1");
    await billing.handleEvent(event("evt_1"));
    const [purchase] = await purchases.of(ada.id);
    await purchases.remove(ada.id, purchase?.urls[0]?.id ?? 0);
    await billing.handleEvent(event("evt_2"));
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(false);
  });

  test("a second one-time payment has room for a second URL", async () => {
    for (const [id, url] of [["o1", "https://a.example/"], ["o2", "https://b.example/"]] as const) {
      await billing.startCheckout(ada, order(id, { plan: "basic", rhythm: "once", url }), "de");
      provider.pay(id);
      await billing.handleEvent(event(`evt_${id}`));
    }
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(true);
    expect(await purchases.covers(ada.id, "https://b.example/")).toBe(true);
  });

  test("a subscriber cannot buy a second monthly plan in any way; a one-time payment is possible", async () => {
    for (const id of ["o1", "o2"]) await billing.startCheckout(ada, order(id), "de");
    provider.pay("o1");
    await billing.handleEvent(event("evt_1"));
    // A second order from another tab, or by the back button.
    await expect(billing.startCheckout(ada, order("o2"), "de")).rejects.toThrow(AlreadySubscribed);
    expect(await billing.startCheckout(ada, order("o1"), "de")).toBe("https://rampe.example/setup/done?order=o1");
    await expect(billing.mailLink(ada, order("o3", { plan: "basic" }), "de")).rejects.toThrow(AlreadySubscribed);
    await expect(billing.sendInvoice(ada, order("o4"), "de")).rejects.toThrow(AlreadySubscribed);
    expect([provider.checkouts.size, mails]).toEqual([2, []]);
    expect(await billing.startCheckout(ada, order("o5", { rhythm: "once" }), "de")).toBe("https://provider.example/pay/o5");
    Object.assign(provider.subscriptions[0] ?? {}, { cancelAtPeriodEnd: true });
    await billing.handleEvent(event("evt_2"));
    expect(await billing.startCheckout(ada, order("o6", { plan: "basic" }), "de")).toBe("https://provider.example/pay/o6");
  });

  test("a form of an old tab does not start its completed order again", async () => {
    await billing.startCheckout(ada, order("o1", { rhythm: "once" }), "de");
    provider.pay("o1");
    const before = provider.calls.filter((call) => call === "startCheckout").length;
    expect(await billing.startCheckout(ada, order("o1", { rhythm: "once" }), "de")).toBe("https://rampe.example/setup/done?order=o1");
    expect(provider.calls.filter((call) => call === "startCheckout")).toHaveLength(before);
  });

  test("once a monthly plan is paid, other open checkouts for one cannot be paid any more; a one-time payment can", async () => {
    for (const id of ["o1", "o2"]) await billing.startCheckout(ada, order(id), "de");
    await billing.mailLink(ada, order("o3"), "de");
    await billing.startCheckout(ada, order("o4", { rhythm: "once" }), "de");
    provider.pay("o2");
    await billing.handleEvent(event("evt_1"));
    const states = ["o1", "o2", "o3", "o4"].map((id) => provider.checkouts.get(`cs_${id}`)?.status);
    expect(states).toEqual(["expired", "complete", "expired", "open"]);
  });

  test("a buyer sees prices in the currency of the first purchase, in any language", async () => {
    expect([await billing.currencyFor(ada.id, "de"), await billing.currencyFor(ada.id, "en")]).toEqual(["eur", "usd"]);
    await billing.startCheckout(ada, order("o1"), "de");
    provider.pay("o1");
    await billing.handleEvent(event("evt_1"));
    expect(await billing.currencyFor(ada.id, "en")).toBe("eur");
  });

  test("the return page asks the provider, and shows the result only to the owner", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    expect(await billing.outcomeOf(ada, "o1")).toMatchObject({ outcome: "open", way: "checkout" });
    provider.pay("o1");
    expect(await billing.outcomeOf(ada, "o1")).toMatchObject({ outcome: "paid", url: null });
    expect((await purchases.of(ada.id))[0]?.entitles).toBe(true);
    expect(await billing.outcomeOf({ ...ada, id: "eve" }, "o1")).toBeUndefined();
    expect(await billing.outcomeOf(ada, "o2")).toBeUndefined();
  });

  test("with the provider down there is no partial order, and a retry completes it", async () => {
    provider.down = true;
    await expect(billing.startCheckout(ada, order("o1"), "de")).rejects.toThrow(ProviderUnavailable);
    provider.down = false;
    expect(await billing.startCheckout(ada, order("o1"), "de")).toBe("https://provider.example/pay/o1");
    expect([provider.customers.size, provider.checkouts.size]).toEqual([1, 1]);
  });

  test("problems with customers are logged in the words of the specification", async () => {
    expect(await billing.openPortal(ada, "de")).toBeNull();
    expect(logged).toEqual(["Customer is not available"]);

    provider.createCustomer = () => Promise.reject(new ProviderUnavailable("connection refused"));
    await expect(billing.startCheckout(ada, order("o1"), "de")).rejects.toThrow(ProviderUnavailable);
    expect(logged.slice(1)).toEqual(["Error creating customer"]);
  });

  test("problems with subscriptions are logged in the words of the specification", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    await billing.reconcile(ada.id);
    expect(logged).toEqual(["No subscription found for customer"]);

    provider.pay("o1");
    await billing.reconcile(ada.id);
    provider.writeUrls = () => Promise.reject(new UnknownToProvider("No such subscription", "subscription"));
    await billing.writeUrls();
    expect(logged.slice(1)).toEqual(["No subscription found", "Error updating subscription"]);

    provider.purchasesOf = () => Promise.reject(new UnknownToProvider("No such customer", "customer"));
    await billing.reconcile(ada.id);
    expect(logged.slice(3)).toEqual(["Customer is not available", "No subscription found for customer"]);
  });

  test("several customers of one user are reported and logged; none is chosen", async () => {
    provider.customers.set("cus_1", "auth0|ada").set("cus_2", "auth0|ada");
    await expect(billing.startCheckout(ada, order("o1"), "de")).rejects.toThrow(SeveralCustomers);
    expect(logged).toEqual(["Expected exactly one customer, but found 2"]);
    expect(provider.checkouts.size).toBe(0);
    expect(await billing.isAmbiguous(ada.id)).toBe(true);
    await expect(billing.recheckCustomer(ada)).rejects.toThrow(SeveralCustomers);
    provider.customers.delete("cus_2");
    await billing.recheckCustomer(ada);
    expect(await billing.isAmbiguous(ada.id)).toBe(false);
    expect(await billing.startCheckout(ada, order("o1"), "de")).toBe("https://provider.example/pay/o1");
  });
});

describe("paying by mail", () => {
  test("the link to a checkout is sent once, also if the form is sent several times", async () => {
    await Promise.all([1, 2, 3].map(() => billing.mailLink(ada, order("o1"), "de")));
    expect(mails).toMatchObject([{ to: "ada@example.org", subject: "Ihr Link zur Bezahlung" }]);
    expect(mails[0]?.text).toContain("https://provider.example/pay/o1");
    expect(await billing.outcomeOf(ada, "o1")).toMatchObject({ outcome: "open", way: "link" });
    const { orders } = await createUsers({ db }).personalDataOf(ada.id);
    expect(orders).toMatchObject([{ id: "o1", way: "link", url: "https://a.example/page", concludedAt: null }]);
    provider.pay("o1");
    await billing.handleEvent(event("evt_1"));
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(true);
  });

  test("an invoice is created and sent once, and entitles to its URL when it is paid", async () => {
    const orders = await Promise.all([1, 2, 3].map(() => billing.sendInvoice(ada, order("o1"), "de")));
    expect(orders).toEqual(["o1", "o1", "o1"]);
    expect(mails).toMatchObject([{ to: "ada@example.org", subject: "Ihre Rechnung R-1" }]);
    expect(await billing.openInvoices(ada.id)).toMatchObject([{ number: "R-1", url: "https://provider.example/invoice/o1" }]);
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(false);
    provider.pay("o1");
    await billing.handleEvent(event("evt_1", { type: "invoice.paid" }));
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(true);
    expect([await billing.openInvoices(ada.id), mails.length]).toEqual([[], 1]);
  });

  test("a paid invoice for a free check assigns the check and starts the scan", async () => {
    const url = "https://a.example/page";
    const check = await runs.start({ url, scope: "page", standard: { version: "2.2", level: "AA" }, owner: null });
    await billing.sendInvoice(ada, order("o1", { checkId: check.id }), "de");
    expect(await runs.ofOwner(check.id, ada.id)).toBeUndefined();
    provider.pay("o1");
    for (const id of ["evt_1", "evt_2"]) await billing.handleEvent(event(id, { type: "invoice.paid" }));
    expect(await runs.ofOwner(check.id, ada.id)).toBeDefined();
    const scans = await db.selectFrom("run").select(["url", "owner"]).where("scope", "=", "site").execute();
    expect(scans).toEqual([{ url, owner: ada.id }]);
  });

  test("a second order of a plan with an open invoice creates no second invoice", async () => {
    await billing.sendInvoice(ada, order("o1"), "de");
    expect(await billing.sendInvoice(ada, order("o2", { url: "https://b.example/" }), "de")).toBe("o1");
    expect([provider.invoices.length, mails.length]).toEqual([1, 1]);
    expect(await billing.sendInvoice(ada, order("o3", { plan: "basic" }), "de")).toBe("o3");
    expect([provider.invoices.length, mails.length]).toEqual([2, 2]);
    provider.pay("o1");
    await billing.handleEvent(event("evt_1", { type: "invoice.paid" }));
    expect(await purchases.covers(ada.id, "https://b.example/")).toBe(true);
  });

  test("two concurrent orders of two tabs are one invoice", async () => {
    const orders = await Promise.all(["o1", "o2"].map((id) => billing.sendInvoice(ada, order(id), "de")));
    expect([orders, provider.invoices.length, mails.length]).toEqual([["o1", "o1"], 1, 1]);
  });

  test("a plan that awaits its first payment cannot be ordered again until it is canceled as overdue", async () => {
    await billing.startCheckout(ada, order("o1", { rhythm: "once" }), "de");
    const waiting = subscription({ order: "o2", byInvoice: true, paid: false });
    provider.subscriptions.push(waiting, subscription({ id: "sub_2", order: null, status: "past_due", byInvoice: true, paid: false }));
    await billing.reconcile(ada.id);
    await expect(billing.startCheckout(ada, order("o3"), "de")).rejects.toThrow(AwaitingPayment);
    expect(provider.calls).not.toContain("cancelUnpaid");
    waiting.status = "past_due";
    await billing.reconcileStale(Date.now() + 3_600_001);
    expect(provider.subscriptions.map(({ status }) => status), "what we have not ordered stays").toEqual(["canceled", "past_due"]);
    await billing.startCheckout(ada, order("o3"), "de");
  });

  test("an invoice of a later period is also sent when an event names it", async () => {
    await billing.sendInvoice(ada, order("o1"), "de");
    const [first] = provider.invoices;
    if (first) provider.invoices.push({ ...first, id: "in_2", number: "R-2" });
    await Promise.all(["evt_1", "evt_2", "evt_3"].map((id) => billing.handleEvent(event(id, { type: "invoice.finalized" }))));
    expect(mails.map(({ subject }) => subject)).toEqual(["Ihre Rechnung R-1", "Ihre Rechnung R-2"]);
  });

  test("with the provider down nothing is sent, and a retry completes the order", async () => {
    provider.down = true;
    await expect(billing.sendInvoice(ada, order("o1"), "de")).rejects.toThrow(ProviderUnavailable);
    await expect(billing.mailLink(ada, order("o2"), "de")).rejects.toThrow(ProviderUnavailable);
    provider.down = false;
    await billing.sendInvoice(ada, order("o1"), "de");
    await billing.mailLink(ada, order("o2"), "de");
    expect(mails.map(({ subject }) => subject)).toEqual(["Ihre Rechnung R-1", "Ihr Link zur Bezahlung"]);
  });
});

describe("deleting an account", () => {
  test("waits for an unavailable provider only while an order could still be paid", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    provider.down = true;
    expect(await billing.cancelForAccountDeletion(ada.id)).toBe("unreachable");
    await db.updateTable("checkout_order").set({ created_at: Date.now() - 86_400_001 }).execute();
    expect(await billing.cancelForAccountDeletion(ada.id)).toBeNull();
    provider.down = false;
    expect(await billing.cancelForAccountDeletion(ada.id)).toBeNull();
    expect(provider.checkouts.get("cs_o1")?.status).toBe("expired");
  });

  test("waits for a pending payment and for the end of a subscription", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    const checkout = provider.checkouts.get("cs_o1");
    Object.assign(checkout ?? {}, { status: "complete" });
    expect(await billing.cancelForAccountDeletion(ada.id)).toBe("still_paying");
    provider.pay("o1");
    expect(await billing.cancelForAccountDeletion(ada.id)).toBe("still_charged");
  });
});
