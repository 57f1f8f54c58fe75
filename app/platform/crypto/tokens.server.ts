import { createHash, randomBytes, randomInt } from "node:crypto";

/** Random id with 128 bits. */
export const randomId = (): string => randomBytes(16).toString("base64url");

/** Random secret with 256 bits, for access. */
export const randomToken = (): string => randomBytes(32).toString("base64url");

/** Hash of a token, for storage: recognises the token, but cannot restore it. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

// Characters that do not look alike.
const READABLE = "abcdefghjkmnpqrstuvwxyz23456789";

/** Random password of nearly 100 bits, easy to read aloud and to type. */
export const readablePassword = (): string => readableCode(4);

/** Random groups of five characters: nearly 25 bits each. */
export function readableCode(groups: number): string {
  const group = () => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join("");
  return Array.from({ length: groups }, group).join("-");
}
