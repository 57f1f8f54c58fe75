import { createAsk } from "~/accounts/hosted/ask-provider.server";
import { descriptionAddress } from "~/accounts/hosted/oidc-discovery.server";
import { askForTokens, TokenRefused } from "~/accounts/hosted/oidc-tokens.server";
import { randomToken } from "~/platform/crypto/tokens.server";
import { failed, messageOf, notSet, ok, type CheckResult } from "./check.server";

const WITHIN_MS = 10_000;
const ONCE = createAsk({ tryMs: WITHIN_MS, totalMs: WITHIN_MS, tries: 1, pauseMs: 0 });
/** Errors for a wrong client: `invalid_client` by RFC 6749, 5.2; others from Keycloak and Auth0, and from providers without an error code. */
const WRONG_CLIENT = ["invalid_client", "unauthorized_client", "access_denied", "status 401"];

export interface ClientToTry {
  clientId: string;
  clientSecret: string;
  /** Callback address, to which the provider redirects people. */
  callback: string;
  /** Name of the setting with the secret. */
  secretVariable: string;
}

interface Description {
  issuer?: unknown;
  token_endpoint?: unknown;
  token_endpoint_auth_methods_supported?: unknown;
}

/**
 * Reads the discovery document of an OpenID provider, and tries the client at its token endpoint.
 * @param issuer address, such as `https://tenant.auth0.com/`; undefined if there is none
 * @param variable name of the setting with the issuer
 */
export async function checkIssuer(issuer: string | undefined, variable: string, client: ClientToTry): Promise<CheckResult> {
  if (!issuer) return notSet("accounts live here");
  const address = descriptionAddress(issuer);
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS), redirect: "error" });
    if (!response.ok) return failed(`${address} answers with ${response.status}: see whether ${variable} is right`);
    const description = ((await response.json()) ?? {}) as Description;
    // Exact comparison, as at a sign-in.
    if (description.issuer !== issuer) return failed(`${address} is about another issuer (${String(description.issuer)}): correct ${variable}`);
    if (typeof description.token_endpoint !== "string") return failed(`${address} names no token endpoint: see whether ${variable} is right`);
    return await tryClient(description.token_endpoint, description, client, dateOf(response));
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return failed(`${address} does not answer as it should: see whether ${variable} is right and this server reaches it (${messageOf(cause ?? error)})`);
  }
}

/** Tests client and secret with an invented code, which is refused only after both were accepted. */
async function tryClient(endpoint: string, description: Description, { clientId, clientSecret, callback, secretVariable }: ClientToTry, date?: Date): Promise<CheckResult> {
  const methods = description.token_endpoint_auth_methods_supported;
  const provider = { token_endpoint: endpoint, token_endpoint_auth_methods_supported: Array.isArray(methods) ? methods.map(String) : ["client_secret_basic"] };
  const fields = { grant_type: "authorization_code", code: randomToken(), code_verifier: randomToken(), redirect_uri: callback };
  try {
    await askForTokens({ ask: ONCE, description: provider, clientId, clientSecret }, fields);
    return ok(undefined, date);
  } catch (error) {
    if (!(error instanceof TokenRefused)) return failed(`the provider's token endpoint does not answer as it should (${messageOf(error)}): try again later`);
    if (WRONG_CLIENT.includes(error.code)) return failed(`the provider refuses client and secret (${error.code}): correct ${secretVariable}`);
    return ok(error.code === "invalid_grant" ? undefined : `client and secret could not be tried: ${error.code}`, date);
  }
}

function dateOf({ headers }: Response): Date | undefined {
  const date = headers.get("date");
  return date === null ? undefined : new Date(date);
}
