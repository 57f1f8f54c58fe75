import { openAccountCustomers } from "~/server/billing/customers.server";
import { setUpCatalogue } from "~/billing/plans/catalogue.server";
import { createStripe } from "~/billing/stripe/client.server";
import { loadEnvFile, readEnv, InvalidSetting, type Env } from "~/platform/env.server";

const USAGE = `Usage: npm run billing:setup [-- customer EMAIL]

  (nothing)        creates the plans at Stripe: products, what they include, and prices; Enterprise has no price
  customer EMAIL   says which customer at Stripe an account is, and creates it where there is none: whoever sells
                   Enterprise subscribes that customer in Stripe's dashboard, and the plan counts at once
`;

/** Prepares the Stripe account of `STRIPE_SECRET_KEY`. Exit status 0, or 1 after a failure. */
async function main([command, email, ...rest]: string[]): Promise<number> {
  const isUsage = command === "--help" || command === "help";
  if (isUsage || (command !== undefined && (command !== "customer" || !email || rest.length > 0))) {
    (isUsage ? process.stdout : process.stderr).write(USAGE);
    return isUsage ? 0 : 1;
  }
  loadEnvFile();
  const env = readEnv();
  const { STRIPE_SECRET_KEY: key } = env;
  if (!key) throw new InvalidSetting("STRIPE_SECRET_KEY is missing: the plans are created in the account it belongs to.");
  return email ? tellCustomer(env, key, email) : createPlans(key);
}

async function createPlans(key: string): Promise<number> {
  const created = await setUpCatalogue(createStripe(key));
  process.stdout.write(created.length > 0 ? `Created: ${created.join(", ")}\n` : "Everything is there already.\n");
  return 0;
}

async function tellCustomer(env: Env, key: string, email: string): Promise<number> {
  const { customerOf, close } = await openAccountCustomers(env, createStripe(key));
  try {
    const customer = await customerOf(email);
    if (customer === null) {
      process.stderr.write(`No account of this installation has the address ${email}. Its owner has to register first.\n`);
      return 1;
    }
    process.stdout.write(`${email} is the customer ${customer}: https://dashboard.stripe.com/customers/${customer}\n`);
    return 0;
  } finally {
    await close();
  }
}

function say(error: unknown): number {
  const message = error instanceof InvalidSetting ? error.message : `That did not work: ${String(error)}`;
  process.stderr.write(`${message}\n`);
  return 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(say);
