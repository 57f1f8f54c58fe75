import { z } from "zod";
import { IdentityUnavailable } from "~/accounts/sign-in-errors";
import type { Ask } from "./ask-provider.server";
import type { ProviderDescription } from "./oidc-discovery.server";
import { HOUR_SECONDS } from "~/platform/durations";

/** Lifetime of an access token, if the provider does not say it. */
const DEFAULT_SECONDS = HOUR_SECONDS;

/** Refusal of the token endpoint; `code` is its error, such as `invalid_grant`. */
export class TokenRefused extends Error {
  override name = "TokenRefused";

  constructor(readonly code: string) {
    super(`the sign-in service refuses tokens: ${code}`);
  }
}

const tokenAnswer = z.object({
  access_token: z.string(),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
});

export interface NewTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Null after a renewal without an id token. */
  idToken: string | null;
  /** Expiry of the access token, Unix time in ms. */
  expiresAt: number;
}

interface TokenClient {
  ask: Ask;
  description: Pick<ProviderDescription, "token_endpoint" | "token_endpoint_auth_methods_supported">;
  clientId: string;
  clientSecret: string;
}

/**
 * Sends one request to the token endpoint.
 * @throws {TokenRefused} @throws {IdentityUnavailable}
 */
export async function askForTokens(
  { ask, description, clientId, clientSecret }: TokenClient,
  fields: Record<string, string>,
  options?: { tries: number },
): Promise<NewTokens> {
  const methods = description.token_endpoint_auth_methods_supported;
  const isInBody = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
  const credentials: Record<string, string> = isInBody ? { client_id: clientId, client_secret: clientSecret } : {};
  const answer = await ask(
    description.token_endpoint,
    {
      method: "POST",
      headers: { Accept: "application/json", ...(!isInBody && { Authorization: `Basic ${basicCredentials(clientId, clientSecret)}` }) },
      body: new URLSearchParams({ ...fields, ...credentials }),
    },
    options,
  );
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const { error } = (body ?? {}) as { error?: unknown };
    throw new TokenRefused(typeof error === "string" ? error : `status ${answer.status}`);
  }
  const read = tokenAnswer.safeParse(body);
  if (!read.success) throw new IdentityUnavailable("the sign-in service answered without tokens", { cause: read.error });
  const { access_token: accessToken, refresh_token: refreshToken = null, id_token: idToken = null, expires_in: seconds = DEFAULT_SECONDS } = read.data;
  return { accessToken, refreshToken, idToken, expiresAt: Date.now() + seconds * 1_000 };
}

/** Basic credentials of the client; id and secret are encoded first (RFC 6749, 2.3.1). */
function basicCredentials(id: string, secret: string): string {
  const encoded = (value: string) => new URLSearchParams({ value }).toString().slice("value=".length);
  return Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64");
}
