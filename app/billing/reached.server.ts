import { ProviderUnavailable } from "~/lib/billing-errors";

/**
 * An answer of the provider's.
 * @throws {ProviderUnavailable} for whatever went wrong there or on the way
 */
export async function reached<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    throw new ProviderUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
