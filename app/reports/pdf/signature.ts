import type { Words } from "./words.server";

/** Accounts of some sign-in services have the address as their name, until somebody types one. */
const MAIL_ADDRESS = /^\S+@\S+$/;

/** Who decided and when. A PDF is passed on: an address for signing in stands in none, nor an empty name. */
export function signature({ by, at }: { by: string; at: number }, { texts, fill, date }: Words): string {
  const name = by.trim();
  return name === "" || MAIL_ADDRESS.test(name) ? date(at) : fill(texts.accepted.by, { name, date: date(at) });
}
