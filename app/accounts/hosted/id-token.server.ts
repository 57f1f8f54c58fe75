import { decodeJwt, errors } from "jose";

export const CLOCK_TOLERANCE_SECONDS = 60;

/** Error: no e-mail address from the provider. */
export class NoEmail extends Error {
  override name = "NoEmail";
}

/** Error: the provider has not confirmed the e-mail address. */
export class UnconfirmedEmail extends Error {
  override name = "UnconfirmedEmail";
}

/**
 * Time of re-authentication, from a verified id token.
 * @param since time of the request for it
 * @throws {JWTClaimValidationFailed} if the re-authentication is older, or the token has no `auth_time`
 */
export function proofIn(idToken: string, since: number): number {
  const claims = decodeJwt(idToken);
  const at = typeof claims.auth_time === "number" ? claims.auth_time * 1_000 : 0;
  if (at >= since - CLOCK_TOLERANCE_SECONDS * 1_000) return Date.now();
  throw new errors.JWTClaimValidationFailed("nobody has signed in afresh", claims, "auth_time");
}

/** True for an unacceptable answer of the provider; false if the provider cannot be reached (jose's general error). */
export function isRefusal(error: unknown): boolean {
  if (error instanceof NoEmail || error instanceof UnconfirmedEmail) return true;
  if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) return false;
  return error.code !== errors.JOSEError.code;
}
