import Stripe from "stripe";
import { expect, test } from "vitest";
import { createStripeProvider } from "~/billing/stripe/provider.server";
import { ForgedEvent, MalformedEvent } from "~/billing/billing-errors";

const SECRET = "whsec_of_the_tests";
const stripe = new Stripe("sk_test_none");
const provider = createStripeProvider({ stripe, webhookSecret: SECRET });
const EVENT = { id: "evt_1", object: "event", type: "customer.updated", created: 5, data: { object: { id: "cus_1", object: "customer" } } };

const read = (payload: string, secondsFromNow = 0) =>
  provider.readEvent(
    payload,
    stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp: Math.floor(Date.now() / 1_000) + secondsFromNow }),
  );

test("an event with a current signature is accepted", () => {
  expect(read(JSON.stringify(EVENT))).toEqual({ id: "evt_1", type: "customer.updated", createdAt: 5_000, customer: "cus_1", payment: null });
  expect(read(JSON.stringify(EVENT), 200).id).toBe("evt_1");
});

test.each([-4_000, -301, 302, 4_000])("an event signed %d s from now is refused", (seconds) => {
  expect(() => read(JSON.stringify(EVENT), seconds)).toThrow(ForgedEvent);
});

test.each(["no JSON", "null", "[]", "{}", JSON.stringify({ ...EVENT, data: {} }), JSON.stringify({ ...EVENT, data: null }), JSON.stringify({ ...EVENT, id: 7 })])(
  "a signed text that is not an event is reported: %s",
  (payload) => {
    expect(() => read(payload)).toThrow(MalformedEvent);
  },
);
