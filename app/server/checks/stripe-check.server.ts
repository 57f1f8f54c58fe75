import Stripe from "stripe";
import type { ProviderAddress } from "~/billing/connection";
import { readPrices } from "~/billing/plans/catalogue.server";
import { createStripe } from "~/billing/stripe/client.server";
import { within } from "~/platform/async/deadline";
import type { Env } from "~/platform/env.server";
import { failed, messageOf, notSet, ok, type CheckResult } from "./check.server";

const WITHIN_MS = 20_000;

/** Reads the prices with the key. @param address address instead of Stripe's, for tests */
export async function checkStripe({ BILLING, BASE_URL, STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret }: Env, address?: ProviderAddress): Promise<CheckResult> {
  if (BILLING !== "stripe" || !key) return notSet(BILLING === "off" ? "nothing is sold" : "a cashier of its own, in which no money moves");
  try {
    const prices = await within(WITHIN_MS, readPrices(createStripe(key, address)));
    if (prices.length === 0) return failed("there are no plans yet: run npm run billing:setup");
    if (webhookSecret) return ok(`${prices.length} prices`);
    return failed(`STRIPE_WEBHOOK_SECRET is missing, so payments are noticed late: have Stripe send its events to ${BASE_URL}/webhooks/stripe, and set the secret of that endpoint`);
  } catch (error) {
    return failed(`${adviceFor(error)} (${messageOf(error)})`);
  }
}

function adviceFor(error: unknown): string {
  if (error instanceof Stripe.errors.StripeAuthenticationError) return "Stripe does not accept STRIPE_SECRET_KEY: copy it again from its dashboard";
  if (error instanceof Stripe.errors.StripePermissionError) return "STRIPE_SECRET_KEY may not read prices: allow that in Stripe's dashboard";
  return "Stripe does not answer: see whether this server reaches api.stripe.com";
}
