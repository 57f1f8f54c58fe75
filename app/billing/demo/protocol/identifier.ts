import { randomInt } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Number of characters after the prefix; ids that open checkout and portal pages have more than 256 random bits. */
const LENGTHS = { cs_test: 58, bps: 48, in: 32 } as const;

/** New id such as `cus_…`, of random letters and digits. */
export function newId(prefix: string): string {
  const length = (LENGTHS as Record<string, number>)[prefix] ?? 24;
  return `${prefix}_${randomText(length)}`;
}

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
