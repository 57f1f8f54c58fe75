import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCashier, SECRET_KEY, stockShop, type OpenCashier, type OpenOptions } from "../../contracts/open-cashier";

let cashier: OpenCashier;

const reopen = async (options: OpenOptions) => {
  await cashier.close();
  cashier = await openCashier(options);
};

beforeEach(async () => {
  cashier = await openCashier();
});

afterEach(async () => {
  const { problems } = cashier;
  await cashier.close();
  expect(problems).toEqual([]);
});

/** Request without the package, to see the actual data. */
function raw(path: string, init: RequestInit = {}, key = SECRET_KEY) {
  const headers = { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) };
  return fetch(`http://${cashier.host}:${cashier.port}${path}`, { ...init, headers });
}

const postForm = (path: string, body: string, headers: Record<string, string> = {}) =>
  raw(path, { method: "POST", body, headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers } });

describe("customers", () => {
  test("are created, listed and deleted", async () => {
    const { customers } = cashier.stripe;
    const created = await customers.create({ email: "ada@example.org", metadata: { auth0_id: "auth0|1", lang: "" } });
    expect(created).toMatchObject({ email: "ada@example.org", metadata: { auth0_id: "auth0|1" } });
    expect(created.metadata).not.toHaveProperty("lang");
    expect((await customers.list()).data).toHaveLength(1);
    expect(await customers.del(created.id)).toEqual({ id: created.id, object: "customer", deleted: true });
    expect((await customers.list()).data).toEqual([]);
    await expect(customers.del(created.id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await cashier.event("customer.deleted")).data.object).toMatchObject({ id: created.id, email: "ada@example.org" });
  });

  test("are found by metadata, with their subscriptions, once the index knows them", async () => {
    await reopen({ searchDelayMs: 1_000 });
    const query = "metadata['auth0_id']:'auth0|it\\'s'";
    const { id } = await cashier.stripe.customers.create({ email: "ada@example.org", metadata: { auth0_id: "auth0|it's" } });
    expect((await cashier.stripe.customers.search({ query })).data).toEqual([]);
    cashier.pass(1_100);
    const found = await cashier.stripe.customers.search({ query, expand: ["data.subscriptions"] });
    expect(found.data).toMatchObject([{ id, subscriptions: { object: "list", data: [] } }]);
    expect((await cashier.stripe.customers.search({ query: "metadata['auth0_id']:'other'" })).data).toEqual([]);
    await expect(cashier.stripe.customers.search({ query: "color:'red'" })).rejects.toMatchObject({ statusCode: 400 });
    await expect(cashier.stripe.customers.search({ query: `${query} AND ${query}` })).rejects.toMatchObject({ statusCode: 400 });
  });
});

describe("products and prices", () => {
  test("a lookup key leads to its price alone, and a product is changed under its id", async () => {
    const { stripe } = cashier;
    const shop = await stockShop(stripe);
    const found = await stripe.prices.list({ lookup_keys: ["basic_monthly", "pro_once"], expand: ["data.product", "data.currency_options"] });
    expect(found.data.map(({ lookup_key: key }) => key).sort()).toEqual(["basic_monthly", "pro_once"]);
    expect(found.data.find(({ lookup_key: key }) => key === "pro_once")).toMatchObject({
      product: { name: "Pro", metadata: { urls: "5" } },
      currency_options: { eur: { unit_amount: 5000 }, usd: { unit_amount: 5500 } },
    });
    const twice = { product: shop.basic.id, currency: "eur", unit_amount: 1600, lookup_key: "basic_monthly" };
    await expect(stripe.prices.create(twice)).rejects.toMatchObject({ code: "resource_already_exists" });
    const named = { id: "pro", name: "Pro" };
    await expect(stripe.products.create(named)).rejects.toMatchObject({ code: "resource_already_exists" });
    await stripe.products.update("pro", { name: "Pro 2", metadata: { plan: "pro", urls: "" } });
    expect(await stripe.products.retrieve("pro")).toMatchObject({ name: "Pro 2", metadata: { plan: "pro" } });
    await cashier.event("product.updated");
  });
});

describe("lists", () => {
  test("come in pages, and the package goes through all of them", async () => {
    const { customers } = cashier.stripe;
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) ids.unshift((await customers.create({ name: `${number}` })).id);
    const first = await customers.list({ limit: 3 });
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 3), true]);
    const last = await customers.list({ limit: 5, starting_after: ids[2] });
    expect([last.data.map(({ id }) => id), last.has_more]).toEqual([ids.slice(3), false]);
    const all = await customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
    await expect(customers.list({ limit: 101 })).rejects.toMatchObject({ param: "limit" });
    await expect(customers.list({ starting_after: "cus_none" })).rejects.toMatchObject({ param: "starting_after" });
  });
});

describe("events", () => {
  test("are kept, and listed by type", async () => {
    const { stripe } = cashier;
    await stripe.customers.create({ name: "Ada" });
    const { data } = await stripe.events.list({ type: "customer.created" });
    expect(data).toMatchObject([{ api_version: "2025-03-31.basil", data: { object: { name: "Ada" } } }]);
    expect((await stripe.events.list({ type: "price.created" })).data).toEqual([]);
  });
});

describe("idempotency", () => {
  test("one key makes one customer, also after the answer was lost", async () => {
    let lost = 0;
    await reopen({ faults: { after: ({ method }) => (method === "POST" && lost++ < 2 ? "reset" : undefined) } });
    const created = await cashier.stripe.customers.create({ email: "ada@example.org" }, { idempotencyKey: "user-1" });
    expect(lost).toBe(3);
    const again = await cashier.stripe.customers.create({ email: "ada@example.org" }, { idempotencyKey: "user-1" });
    expect(again.id).toBe(created.id);
    expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
    expect((await cashier.stripe.customers.list()).data).toHaveLength(1);
  });

  test("the package repeats what broke before anything was done", async () => {
    const asked: string[] = [];
    await reopen({
      faults: {
        before({ method, path }) {
          asked.push(`${method} ${path}`);
          return asked.length === 1 ? { status: 500 } : asked.length === 2 ? "reset" : undefined;
        },
      },
    });
    await cashier.stripe.customers.create({ name: "Ada" });
    expect(asked).toHaveLength(3);
    expect((await cashier.stripe.customers.list()).data).toHaveLength(1);
  });

  test("the package gives up a slow answer, asks again, and makes one customer", async () => {
    let asked = 0;
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, asked++ === 0 ? 700 : 0));
    await reopen({ faults: { before: slow } });
    const { host, port } = cashier;
    const impatient = new Stripe(SECRET_KEY, { host, port, protocol: "http", timeout: 300, maxNetworkRetries: 2, telemetry: false });
    const { id } = await impatient.customers.create({ name: "Ada" });
    expect((await cashier.stripe.customers.list()).data).toMatchObject([{ id }]);
  });

  test("a key is good for one request only", async () => {
    await cashier.stripe.customers.create({ name: "Ada" }, { idempotencyKey: "key" });
    const other = cashier.stripe.customers.create({ name: "Bob" }, { idempotencyKey: "key" });
    await expect(other).rejects.toMatchObject({ type: "StripeIdempotencyError", statusCode: 400 });
    cashier.pass(25 * 3_600_000);
    expect((await cashier.stripe.customers.create({ name: "Bob" }, { idempotencyKey: "key" })).name).toBe("Bob");
  });

  test("two at once: the second one is asked to come back, and gets the first one's answer", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await reopen({ faults: { before: () => held } });
    const headers = { "Idempotency-Key": "both" };
    const first = postForm("/v1/customers", "name=Ada", headers);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await postForm("/v1/customers", "name=Ada", headers);
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { type: "idempotency_error", code: "idempotency_key_in_use" } });
    release();
    const { id } = (await (await first).json()) as { id: string };
    expect(await (await postForm("/v1/customers", "name=Ada", headers)).json()).toMatchObject({ id });
  });

  test("what was refused for its parameters is not kept", async () => {
    const headers = { "Idempotency-Key": "refused" };
    expect((await postForm("/v1/customers", "nonsense=1", headers)).status).toBe(400);
    expect((await postForm("/v1/customers", "name=Ada", headers)).status).toBe(200);
  });
});

describe("refusals", () => {
  test.each<[string, Promise<Response> | (() => Promise<Response>), number, object]>([
    ["no key", () => raw("/v1/customers", {}, ""), 401, { type: "invalid_request_error" }],
    ["another key", () => raw("/v1/customers", {}, "sk_test_other"), 401, { type: "invalid_request_error" }],
    ["no such invoice", () => raw("/v1/invoices/in_x"), 404, { code: "resource_missing", param: "id", message: "No such invoice: 'in_x'" }],
    ["no such address", () => raw("/v1/nonsense"), 404, { type: "invalid_request_error" }],
    ["unknown parameter", () => postForm("/v1/customers", "colour=red"), 400, { code: "parameter_unknown", param: "colour" }],
    ["missing parameter", () => postForm("/v1/prices", "unit_amount=1"), 400, { code: "parameter_missing", param: "currency" }],
    ["no number", () => raw("/v1/customers?limit=many"), 400, { param: "limit" }],
    ["no choice", () => postForm("/v1/checkout/sessions", "mode=gift"), 400, { param: "mode" }],
    ["no address of a page", () => postForm("/v1/billing_portal/sessions", "customer=x&return_url=nowhere"), 400, { param: "return_url" }],
    ["customer of a session", () => postForm("/v1/billing_portal/sessions", "customer=cus_x&return_url=https://a.example/"), 400, { code: "resource_missing", param: "customer" }],
    ["long metadata", () => postForm("/v1/customers", `metadata[urls]=${"x".repeat(501)}`), 400, { param: "metadata[urls]" }],
    ["nothing to expand", () => postForm("/v1/customers", "expand[]=colour"), 400, { param: "expand" }],
    ["too deep", () => raw("/v1/subscriptions?expand[]=data.items.data.price.product"), 400, { param: "expand" }],
  ])("%s", async (_what, ask, status, error) => {
    const answer = await (typeof ask === "function" ? ask() : ask);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Request-Id")).toMatch(/^req_/);
    expect(answer.headers.get("Stripe-Version")).toBe("2025-03-31.basil");
    expect(await answer.json()).toMatchObject({ error });
  });

  test("more than 50 keys of metadata", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, "x"]));
    await expect(cashier.stripe.customers.create({ metadata })).rejects.toMatchObject({ param: "metadata" });
    expect((await cashier.stripe.customers.list()).data).toEqual([]);
  });

  test("the package knows a wrong key", async () => {
    const { host, port } = cashier;
    const other = new Stripe("sk_test_wrong", { host, port, protocol: "http" });
    await expect(other.customers.list()).rejects.toMatchObject({ type: "StripeAuthenticationError" });
  });
});
