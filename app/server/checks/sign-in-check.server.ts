import { descriptionAddress } from "~/accounts/hosted/oidc-discovery.server";
import { failed, messageOf, notSet, ok, type CheckResult } from "./check.server";

const WITHIN_MS = 10_000;

/**
 * Reads the discovery document of an OpenID provider.
 * @param issuer address, such as `https://tenant.auth0.com/`; undefined if there is none
 * @param variable the setting that names it
 */
export async function checkIssuer(issuer: string | undefined, variable: string): Promise<CheckResult> {
  if (!issuer) return notSet("accounts live here");
  const address = descriptionAddress(issuer);
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS), redirect: "error" });
    if (!response.ok) return failed(`${address} answers with ${response.status}: see whether ${variable} is right`);
    const { issuer: named } = ((await response.json()) ?? {}) as { issuer?: unknown };
    // As at a sign-in: exactly the same.
    if (named !== issuer) return failed(`${address} is about another issuer (${String(named)}): correct ${variable}`);
    return ok(undefined, dateOf(response));
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return failed(`${address} does not answer as it should: see whether ${variable} is right and this server reaches it (${messageOf(cause ?? error)})`);
  }
}

function dateOf({ headers }: Response): Date | undefined {
  const date = headers.get("date");
  return date === null ? undefined : new Date(date);
}
