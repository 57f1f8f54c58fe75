import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";

/** Standard values of all authenticator apps (RFC 6238). */
const STEP_SECONDS = 30;
const DIGITS = 6;
const ALGORITHM = "SHA1";
const SECRET_BYTES = 20;
/** Allowed difference of clocks, in steps. */
const DRIFT_STEPS = 1;
const ISSUER = "Rampe";

/** @returns 160 random bits as base32 */
export const newAppSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/**
 * Time step of a code. The caller never accepts a step twice.
 * @param code six digits
 * @param now Unix time in ms
 * @returns null if the code does not belong to this time
 */
export function stepOf(secret: string, code: string, now: number): number | null {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(now / 1_000 / STEP_SECONDS) + delta;
}

/** Address in the QR code; as a link, it opens the app on the same device. */
export const appAddress = (secret: string, email: string): string => totp(secret, email).toString();

const totp = (secret: string, label = "") =>
  new TOTP({ issuer: ISSUER, label, algorithm: ALGORITHM, digits: DIGITS, period: STEP_SECONDS, secret: Secret.fromBase32(secret) });

/** QR code as the path of an SVG in a square of `size` units, with the quiet zone that readers need. */
export interface QrCode {
  size: number;
  path: string;
}

export function qrCodeOf(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  return { size, path: rows.join("") };
}
