import { createHash, randomBytes, randomInt } from "node:crypto";

/** 128 random bits, for what is named. */
export const randomId = (): string => randomBytes(16).toString("base64url");

/** 256 random bits, for what opens something. */
export const randomToken = (): string => randomBytes(32).toString("base64url");

/** What is stored of such a token: it can be recognised, and not be made again. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

// No character that looks like another one.
const READABLE = "abcdefghjkmnpqrstuvwxyz23456789";

/** Nearly 100 random bits, to be read out and typed. */
export function readablePassword(): string {
  const group = () => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
