import { createHash, randomBytes, randomInt } from "node:crypto";

/** 128 random bits, for names (ids). */
export const randomId = (): string => randomBytes(16).toString("base64url");

/** 256 random bits, for secrets that give access. */
export const randomToken = (): string => randomBytes(32).toString("base64url");

/** Stored hash of such a token: recognises it, but cannot restore it. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

// No characters that look alike.
const READABLE = "abcdefghjkmnpqrstuvwxyz23456789";

/** Nearly 100 random bits, easy to read out and type. */
export const readablePassword = (): string => readableCode(4);

/** Random groups of five characters: nearly 25 bits each. */
export function readableCode(groups: number): string {
  const group = () => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join("");
  return Array.from({ length: groups }, group).join("-");
}
