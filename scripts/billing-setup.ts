import { setUpCatalogue } from "~/billing/catalogue.server";
import { createStripe } from "~/billing/stripe-client.server";
import { loadEnvFile, readEnv, UnusableSetting } from "~/env.server";

/** Creates the plans in the account at Stripe that `STRIPE_SECRET_KEY` belongs to. Ends with 0, or 1 when it could not. */
async function main(): Promise<number> {
  loadEnvFile();
  const { STRIPE_SECRET_KEY: key } = readEnv();
  if (!key) throw new UnusableSetting("STRIPE_SECRET_KEY is missing: the plans are created in the account it belongs to.");
  const created = await setUpCatalogue(createStripe(key));
  process.stdout.write(created.length > 0 ? `Created: ${created.join(", ")}\n` : "Everything is there already.\n");
  return 0;
}

function say(error: unknown): number {
  const message = error instanceof UnusableSetting ? error.message : `That did not work: ${String(error)}`;
  process.stderr.write(`${message}\n`);
  return 1;
}

process.exitCode = await main().catch(say);
