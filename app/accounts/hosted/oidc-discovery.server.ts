import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { IdentityUnavailable } from "~/accounts/sign-in-errors";
import type { Ask } from "./ask-provider.server";
import { isEncrypted } from "~/platform/http/encrypted-address";

const PATH = "/.well-known/openid-configuration";

const address = z.url().refine((value) => isEncrypted(value), "is not encrypted");

/** Discovery document of a provider, reduced to the parts that we use (OpenID Connect Discovery 1.0, section 3). */
const description = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  scopes_supported: z.array(z.string()).default([]),
  prompt_values_supported: z.array(z.string()).default([]),
});

export type ProviderDescription = z.output<typeof description>;

export interface Provider {
  description: ProviderDescription;
  keys: JWTVerifyGetKey;
}

/** Address of a provider's discovery document. */
export const descriptionAddress = (issuer: string): string => `${issuer.replace(/\/$/, "")}${PATH}`;

/**
 * Reads the discovery document of a provider.
 * @throws {IdentityUnavailable} if there is none, or it belongs to another issuer
 */
export async function discover(issuer: string, ask: Ask, tryMs: number): Promise<Provider> {
  const answer = await ask(descriptionAddress(issuer), { headers: { Accept: "application/json" } });
  const unusable = (why: string, cause?: unknown) => new IdentityUnavailable(`the description of the sign-in service is unusable: ${why}`, { cause });
  if (!answer.ok) throw unusable(`status ${answer.status}`);
  const read = description.safeParse(await answer.json().catch(() => null));
  if (!read.success) throw unusable(z.prettifyError(read.error).replace(/\s+/g, " "));
  // Exact comparison (section 4.3): otherwise another provider could sign in users of this one.
  if (read.data.issuer !== issuer) throw unusable(`it is of ${read.data.issuer}, and OIDC_ISSUER says ${issuer}`);
  return { description: read.data, keys: createRemoteJWKSet(new URL(read.data.jwks_uri), { timeoutDuration: tryMs }) };
}
