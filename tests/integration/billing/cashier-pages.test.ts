import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GOOD_CARD, openCashier, pay, post, stockShop, type OpenCashier } from "../../contracts/open-cashier";
import { structureProblems } from "../../contracts/page-structure";

let cashier: OpenCashier;
let shop: Awaited<ReturnType<typeof stockShop>>;
let customer: Stripe.Customer;

beforeEach(async () => {
  cashier = await openCashier();
  shop = await stockShop(cashier.stripe);
  customer = await cashier.stripe.customers.create({ email: "ada@example.org" });
});

afterEach(async () => {
  const { problems } = cashier;
  await cashier.close();
  expect(problems).toEqual([]);
});

const LANGUAGES = [
  { locale: "de", notice: "Hier fließt kein Geld", error: "Fehler:", number: "Geben Sie die Nummer einer Testkarte ein." },
  { locale: "en", notice: "No money moves here", error: "Error:", number: "Enter the number of a test card." },
];

async function sessionFor(price: Stripe.Price, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return cashier.stripe.checkout.sessions.create({
    mode: price.type === "recurring" ? "subscription" : "payment",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "https://shop.example/done",
    cancel_url: "https://shop.example/setup",
    ...more,
  });
}

async function portal(): Promise<string> {
  const { url } = await cashier.stripe.billingPortal.sessions.create({ customer: customer.id, return_url: "https://shop.example/profile" });
  return url;
}

async function read(url: string, headers: Record<string, string> = {}): Promise<{ status: number; html: string; headers: Headers }> {
  const answer = await fetch(url, { headers, redirect: "manual" });
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
}

/** All kinds of pages, each with content. */
async function allPages(): Promise<string[]> {
  await pay(await sessionFor(shop.basicMonthly));
  const once = await sessionFor(shop.basicOnce);
  await pay(once);
  const open = await sessionFor(shop.proMonthly);
  const { data: [subscription] } = await cashier.stripe.subscriptions.list({ expand: ["data.latest_invoice"] });
  const { data: [payment] } = await cashier.stripe.paymentIntents.list({ customer: customer.id });
  const byInvoice = await cashier.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.proMonthly.id }],
    collection_method: "send_invoice",
    days_until_due: 14,
  });
  const sent = await cashier.stripe.invoices.finalizeInvoice(byInvoice.latest_invoice as string);
  const paid = subscription!.latest_invoice as Stripe.Invoice;
  return [
    open.url!,
    `${cashier.publicUrl}/pay/${once.id}`,
    await portal(),
    paid.hosted_invoice_url!,
    sent.hosted_invoice_url!,
    `${cashier.publicUrl}/clock/${subscription!.id}?done=renew`,
    `${cashier.publicUrl}/clock/${byInvoice.id}?done=finalize`,
    `${cashier.publicUrl}/clock/${payment!.id}`,
    `${cashier.publicUrl}/nowhere`,
  ];
}

test.each(LANGUAGES)("every page is well built and says that no money moves ($locale)", async ({ locale, notice }) => {
  for (const url of await allPages()) {
    const { html, headers } = await read(url, { "Accept-Language": locale });
    expect(structureProblems(html), url).toEqual([]);
    expect(html, url).toContain(notice);
    expect(html, url).toContain(`<html lang="${locale}"`);
    expect(html, url).not.toMatch(/\{\{|undefined|\[object/);
    expect(headers.get("Content-Security-Policy"), url).toContain("default-src 'none'");
  }
});

test("the language is the cookie's, then the browser's, then German; the colours are the cookie's", async () => {
  const { url } = await sessionFor(shop.basicOnce);
  const start = async (headers: Record<string, string>) => /<html[^>]*>/.exec((await read(url!, headers)).html)?.[0];
  expect(await start({ "Accept-Language": "fr" })).toBe('<html lang="de">');
  expect(await start({ "Accept-Language": "en-GB, de;q=0.5" })).toBe('<html lang="en">');
  expect(await start({ "Accept-Language": "en", Cookie: "locale=de; color-scheme=dark" })).toBe('<html lang="de" class="dark">');
  const { url: wished } = await sessionFor(shop.basicOnce, { locale: "en" });
  expect((await read(wished!, { "Accept-Language": "de" })).html).toContain('<html lang="en">');
  expect((await read(wished!, { Cookie: "locale=de" })).html).toContain('<html lang="de">');
  const english = (await read(url!, { "Accept-Language": "en" })).html;
  expect(english).toContain("€20.00");
  expect((await read(url!, { "Accept-Language": "de" })).html).toContain("20,00");
  const sheet = /href="([^"]+\.css)"/.exec(english)?.[1] ?? "";
  const style = await read(new URL(sheet, url!).href);
  expect([style.status, style.headers.get("Content-Type")]).toEqual([200, "text/css; charset=utf-8"]);
});

describe.each(LANGUAGES)("wrong entries on the checkout page ($locale)", ({ locale, error, number }) => {
  const headers = { "Accept-Language": locale };

  test("are named in a summary that leads to the fields, and stay", async () => {
    const { url } = await sessionFor(shop.basicOnce);
    const answer = await post(url!, { do: "pay", number: "", expiry: "13 / 34", cvc: 'x"><script>' }, headers);
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(structureProblems(html)).toEqual([]);
    expect(html).toContain(`<title>${error}`);
    expect(html).toContain(`<a href="#number">${number}</a>`);
    for (const field of ["number", "expiry", "cvc"]) expect(html).toContain(`href="#${field}"`);
    expect(html).toContain('value="13 / 34"');
    expect(html).toContain('value="x&quot;&gt;&lt;script&gt;"');
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(3);
    expect(html).toMatch(/<div class="errors"[^>]* autofocus=""/);
  });

  test("a declined card says why", async () => {
    const { url } = await sessionFor(shop.basicOnce);
    const html = await (await post(url!, { do: "pay", ...GOOD_CARD, number: "4000 0000 0000 0002" }, headers)).text();
    expect(html).toMatch(locale === "de" ? /Ihre Karte wurde abgelehnt/ : /Your card was declined/);
    expect(html).toContain('value="4000 0000 0000 0002"');
  });
});

test("a number that might be a real card's comes back nowhere, and the bank's date must be ahead", async () => {
  const { url } = await sessionFor(shop.basicOnce);
  const real = await post(url!, { do: "pay", ...GOOD_CARD, number: "5555 5555 5555 4444", cvc: "987" });
  const html = await real.text();
  expect(real.status).toBe(422);
  expect(html).not.toMatch(/5555|987/);
  expect((await post(url!, { do: "pay", ...GOOD_CARD, expiry: "01/20" })).status).toBe(422);
  expect((await post(url!, { do: "pay", ...GOOD_CARD, expiry: "1/2034" })).status).toBe(303);
});

test("of a card only the last four digits are kept", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-card-"));
  const file = path.join(folder, "cashier.sqlite");
  const other = await openCashier({ file });
  const { id: product } = await other.stripe.products.create({ id: "basic", name: "Basic" });
  const price = await other.stripe.prices.create({ product, currency: "eur", unit_amount: 100 });
  const { id: buyer } = await other.stripe.customers.create({ email: "ada@example.org" });
  const session = await other.stripe.checkout.sessions.create({
    mode: "payment",
    customer: buyer,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "https://shop.example/",
  });
  await pay(session, { ...GOOD_CARD, number: "4000000000000002", cvc: "7531" });
  await pay(session);
  await other.close();
  const kept = readFileSync(file, "latin1");
  expect(kept).toContain("ada@example.org");
  expect(kept).not.toMatch(/4242 ?4242|"7531"|40000000/);
  rmSync(folder, { recursive: true });
});

test("what a shop calls its products is only text", async () => {
  const product = await cashier.stripe.products.create({ id: "script", name: "<script>alert(1)</script>" });
  const price = await cashier.stripe.prices.create({ product: product.id, currency: "eur", unit_amount: 100 });
  const { html } = await read((await sessionFor(price)).url!);
  expect(structureProblems(html)).toEqual([]);
});

test("in the portal a subscription is cancelled, kept, changed, and gets another card", async () => {
  await pay(await sessionFor(shop.basicMonthly));
  const { data: [subscription] } = await cashier.stripe.subscriptions.list({ customer: customer.id });
  const url = await portal();
  const id = subscription!.id;
  const press = async (fields: Record<string, string>) => {
    const answer = await post(url, { subscription: id, ...fields });
    return [answer.status, answer.headers.get("location")?.replace(/.*\?/, "")];
  };
  const now = () => cashier.stripe.subscriptions.retrieve(id);

  expect(await press({ do: "cancel-at-end" })).toEqual([303, "done=cancel-at-end"]);
  expect(await now()).toMatchObject({ cancel_at_period_end: true, status: "active" });
  expect(await press({ do: "resume" })).toEqual([303, "done=resume"]);
  expect(await now()).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
  expect(await press({ do: "change", price: shop.proMonthly.id })).toEqual([303, "done=change"]);
  expect((await now()).items.data[0]!.price.id).toBe(shop.proMonthly.id);
  expect(await press({ do: "change", price: shop.basicOnce.id })).toEqual([422, undefined]);
  expect(await press({ do: "method-bad" })).toEqual([303, "done=method"]);
  expect((await read(url)).html).toContain("0341");
  await post(`${cashier.publicUrl}/clock/${id}`, { do: "renew" });
  expect((await now()).status).toBe("past_due");
  expect((await read(url)).html).toContain("https://shop.example/profile");
});

test("the portal of one customer does nothing to another one's subscription, and closes after an hour", async () => {
  await pay(await sessionFor(shop.basicMonthly));
  const { data: [subscription] } = await cashier.stripe.subscriptions.list({ customer: customer.id });
  customer = await cashier.stripe.customers.create({ email: "bob@example.org" });
  const url = await portal();
  await post(url, { subscription: subscription!.id, do: "cancel-at-end" });
  expect(await cashier.stripe.subscriptions.retrieve(subscription!.id)).toMatchObject({ cancel_at_period_end: false });
  cashier.pass(3_601_000);
  expect((await read(url)).status).toBe(410);
  expect((await post(url, { do: "method-good" })).status).toBe(410);
});

test.each(["/pay/cs_test_x", "/portal/bps_x", "/invoice/in_x", "/clock/sub_x", "/nowhere", "/pay/%E0%A4%A"])(
  "there is no page %s",
  async (path) => {
    const { status, html } = await read(cashier.publicUrl + path);
    expect([400, 404]).toContain(status);
    expect(structureProblems(html)).toEqual([]);
    expect((await post(cashier.publicUrl + path, { do: "pay" })).status).toBe(status);
  },
);

test("buttons that do not exist do nothing", async () => {
  const { url } = await sessionFor(shop.basicMonthly);
  await pay({ url });
  const { data: [subscription] } = await cashier.stripe.subscriptions.list({ customer: customer.id });
  const answer = await post(`${cashier.publicUrl}/clock/${subscription!.id}`, { do: "https://evil.example" });
  expect(answer.headers.get("location")).not.toContain("evil");
  await post(`${cashier.publicUrl}/clock/${subscription!.id}`, { do: "give-up" });
  expect((await cashier.stripe.subscriptions.retrieve(subscription!.id)).status).toBe("active");
});
