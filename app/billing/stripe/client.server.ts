import Stripe from "stripe";
import type { ProviderAddress } from "~/billing/connection";

/** Client with the package's own retries and time-outs (80 s, 2 more tries). */
export function createStripe(secretKey: string, address?: ProviderAddress): Stripe {
  return new Stripe(secretKey, {
    apiVersion: "2025-03-31.basil",
    maxNetworkRetries: 2,
    timeout: 80_000,
    // Telemetry would send response times to Stripe.
    telemetry: false,
    ...address,
  });
}
