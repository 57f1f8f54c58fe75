import { errors, jwtVerify, type JWTPayload } from "jose";
import { IdentityUnavailable } from "~/accounts/sign-in-errors";
import type { Ask } from "./ask-provider.server";
import type { HostedProfile } from "./hosted";
import { CLOCK_TOLERANCE_SECONDS, NoEmail, UnconfirmedEmail } from "./id-token.server";
import type { Provider } from "./oidc-discovery.server";

/** Algorithms with the provider's private key: none with a shared secret, and not `none`. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

type Claims = Record<string, unknown> & { sub: string };

/**
 * @param nonce null if the token does not come from a sign-in attempt
 * @throws {JOSEError} for an id token of another client, another time or another provider
 */
export async function verifyIdToken(idToken: string, { description, keys }: Provider, clientId: string, nonce: string | null): Promise<Claims> {
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: description.issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ["sub", "exp", "iat"],
  });
  const refuse = (claim: string) => new errors.JWTClaimValidationFailed(`wrong ${claim}`, payload, claim);
  if (nonce !== null && payload.nonce !== nonce) throw refuse("nonce");
  // With several audiences, `azp` names the client that asked (OpenID Connect Core 1.0, section 3.1.3.7).
  const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((isForOthersToo || payload.azp !== undefined) && payload.azp !== clientId) throw refuse("azp");
  return claimsWithSubject(payload);
}

function claimsWithSubject(payload: JWTPayload): Claims {
  if (typeof payload.sub !== "string" || payload.sub === "") throw new errors.JWTClaimValidationFailed("no subject", payload, "sub");
  return { ...payload, sub: payload.sub };
}

/**
 * Adds claims of the userinfo endpoint, if the id token has no address, or no statement about its confirmation.
 * @throws {IdentityUnavailable}
 */
export async function withUserInfo(claims: Claims, { description: { userinfo_endpoint: address } }: Provider, accessToken: string, ask: Ask): Promise<Claims> {
  if (!address || (claims.email !== undefined && claims.email_verified !== undefined)) return claims;
  const answer = await ask(address, { headers: { Accept: "application/json", Authorization: `Bearer ${accessToken}` } });
  if (!answer.ok) throw new IdentityUnavailable(`the sign-in service answered ${answer.status} to ${new URL(address).pathname}`);
  const told = ((await answer.json().catch(() => null)) ?? {}) as Record<string, unknown>;
  // Only claims of the same user (section 5.3.2).
  return told.sub === claims.sub ? { ...claims, ...told, sub: claims.sub } : claims;
}

/** Profile, only with an address that the provider has confirmed. @throws {NoEmail} @throws {UnconfirmedEmail} */
export function profileOf({ sub, email, email_verified: isConfirmed, name }: Claims, issuer: string): HostedProfile {
  if (typeof email !== "string" || email === "") throw new NoEmail("no email claim");
  // Some providers write the boolean as text.
  if (isConfirmed !== true && isConfirmed !== "true") throw new UnconfirmedEmail("email_verified is not true");
  return { subject: subjectOf(sub, issuer), email, emailVerified: true, name: typeof name === "string" && name !== "" ? name : email };
}

/** Subject with issuer: `sub` alone is unique only within one provider. */
const subjectOf = (sub: string, issuer: string): string => `${issuer}#${sub}`;
