import { decodeJwt, errors } from "jose";

export const CLOCK_TOLERANCE_SECONDS = 60;

/** The provider has told no e-mail address. */
export class NoEmail extends Error {
  override name = "NoEmail";
}

/** The provider has not confirmed the e-mail address that it told. */
export class UnconfirmedEmail extends Error {
  override name = "UnconfirmedEmail";
}

/**
 * Time of re-authentication, if a verified id token confirms it.
 * @param since when it was requested
 * @throws {JWTClaimValidationFailed} if it was before that, or the token has no `auth_time`
 */
export function proofIn(idToken: string, since: number): number {
  const claims = decodeJwt(idToken);
  const at = typeof claims.auth_time === "number" ? claims.auth_time * 1_000 : 0;
  if (at >= since - CLOCK_TOLERANCE_SECONDS * 1_000) return Date.now();
  throw new errors.JWTClaimValidationFailed("nobody has signed in afresh", claims, "auth_time");
}

/** True if the provider's answer is unacceptable; false if the provider cannot be reached (jose's general error). */
export function isRefusal(error: unknown): boolean {
  if (error instanceof NoEmail || error instanceof UnconfirmedEmail) return true;
  if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) return false;
  return error.code !== errors.JOSEError.code;
}
