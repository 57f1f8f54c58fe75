import Stripe from "stripe";
import { ProviderUnavailable, UnknownToProvider } from "~/billing/billing-errors";

/**
 * Calls the provider and returns its answer.
 * @throws {UnknownToProvider} {ProviderUnavailable} for all other errors of the provider or the network
 */
export async function callProvider<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Stripe.errors.StripeError && error.code === "resource_missing") {
      throw new UnknownToProvider(message, error.param ?? "", { cause: error });
    }
    throw new ProviderUnavailable(message, { cause: error });
  }
}
