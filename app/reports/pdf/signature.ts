import type { Words } from "./words.server";

/** Email address: some sign-in services use it as the name of an account. */
const MAIL_ADDRESS = /^\S+@\S+$/;

/** Person's name and date; only the date if the name is empty or an email address, as PDFs are passed on to others. */
export function signature({ by, at }: { by: string; at: number }, { texts, fill, date }: Words): string {
  const name = by.trim();
  return name === "" || MAIL_ADDRESS.test(name) ? date(at) : fill(texts.accepted.by, { name, date: date(at) });
}
