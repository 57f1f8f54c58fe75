import { errors, jwtVerify, type JWTPayload } from "jose";
import { IdentityUnavailable } from "~/accounts/sign-in-errors";
import type { Ask } from "./ask-provider.server";
import type { HostedProfile } from "./hosted";
import { CLOCK_TOLERANCE_SECONDS, NoEmail, UnconfirmedEmail } from "./id-token.server";
import type { Provider } from "./oidc-discovery.server";

/** Signed with the provider's private key: no algorithm that works with a secret we share, and not `none`. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

type Claims = Record<string, unknown> & { sub: string };

/**
 * @param nonce null if the token does not come from a sign-in attempt
 * @throws {JOSEError} for an id token that is not for us, now, from this provider
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
  // With several audiences, `azp` says which of them asked (OpenID Connect Core 1.0, section 3.1.3.7).
  const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((isForOthersToo || payload.azp !== undefined) && payload.azp !== clientId) throw refuse("azp");
  return claimsWithSubject(payload);
}

function claimsWithSubject(payload: JWTPayload): Claims {
  if (typeof payload.sub !== "string" || payload.sub === "") throw new errors.JWTClaimValidationFailed("no subject", payload, "sub");
  return { ...payload, sub: payload.sub };
}

/**
 * Adds the answer of the userinfo endpoint, if the id token tells no address, or not whether it is confirmed.
 * @throws {IdentityUnavailable}
 */
export async function withUserInfo(claims: Claims, { description: { userinfo_endpoint: address } }: Provider, accessToken: string, ask: Ask): Promise<Claims> {
  if (!address || (claims.email !== undefined && claims.email_verified !== undefined)) return claims;
  const answer = await ask(address, { headers: { Accept: "application/json", Authorization: `Bearer ${accessToken}` } });
  if (!answer.ok) throw new IdentityUnavailable(`the sign-in service answered ${answer.status} to ${new URL(address).pathname}`);
  const told = ((await answer.json().catch(() => null)) ?? {}) as Record<string, unknown>;
  // Section 5.3.2: an answer about somebody else must not be used.
  return told.sub === claims.sub ? { ...claims, ...told, sub: claims.sub } : claims;
}

/** Only an address that the provider has confirmed is used. @throws {NoEmail} @throws {UnconfirmedEmail} */
export function profileOf({ sub, email, email_verified: isConfirmed, name }: Claims, issuer: string): HostedProfile {
  if (typeof email !== "string" || email === "") throw new NoEmail("no email claim");
  // Some providers write the truth value as text.
  if (isConfirmed !== true && isConfirmed !== "true") throw new UnconfirmedEmail("email_verified is not true");
  return { subject: subjectOf(sub, issuer), email, emailVerified: true, name: typeof name === "string" && name !== "" ? name : email };
}

/** `sub` alone is unique only within one provider. */
const subjectOf = (sub: string, issuer: string): string => `${issuer}#${sub}`;
