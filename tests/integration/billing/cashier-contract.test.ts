import type Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCashier, type OpenCashier } from "../../contracts/open-cashier";
import { openStripeContract } from "../../contracts/stripe-contract";

const contract = openStripeContract();
let cashier: OpenCashier;

beforeEach(async () => {
  cashier = await openCashier({ idle: true });
});

afterEach(() => cashier.close());

test("an answer with a field too many, too few, or of another kind is noticed", async () => {
  const customer = JSON.parse(JSON.stringify(await cashier.stripe.customers.create({ name: "Ada" }))) as Record<string, unknown>;
  const problemsOf = (body: unknown) => contract.answer("POST", "/v1/customers", 200, body);
  expect(problemsOf(customer)).toEqual([]);
  expect(problemsOf({ ...customer, colour: "red" })).not.toEqual([]);
  expect(problemsOf({ ...customer, email: undefined })).not.toEqual([]);
  expect(problemsOf({ ...customer, balance: "0" })).not.toEqual([]);
  expect(contract.answer("GET", "/v1/customers/cus_1", 404, { error: { type: "nonsense" } })).not.toEqual([]);
  expect(cashier.problems).toEqual([]);
});

test("a request with an unknown parameter or to an unknown address is noticed", () => {
  expect(contract.request("POST", "/v1/customers", "email=a%40b.example&metadata[a]=b&expand[0]=subscriptions")).toEqual([]);
  expect(contract.request("POST", "/v1/customers", "colour=red")).not.toEqual([]);
  expect(contract.request("GET", "/v1/customers", "limit=many")).not.toEqual([]);
  expect(contract.request("GET", "/v1/customers/search", "email=x")).not.toEqual([]);
  expect(contract.request("GET", "/v1/nonsense", "")).not.toEqual([]);
});

test("an event of another shape is noticed", async () => {
  await cashier.stripe.customers.create({ name: "Ada" });
  const { data: [event] } = await cashier.stripe.events.list();
  const plain = JSON.parse(JSON.stringify(event)) as Stripe.CustomerCreatedEvent;
  expect(contract.event(plain)).toEqual([]);
  const strange = { ...plain, data: { object: { ...plain.data.object, colour: "red" } } };
  expect(contract.event(strange)).not.toEqual([]);
  expect(contract.event({ ...plain, type: "invoice.paid" })).not.toEqual([]);
  expect(contract.event({ ...plain, type: "customer.nonsense" })).not.toEqual([]);
});
