/** Longest path that RFC 5321 allows. */
const MOST_CHARACTERS = 254;

/**
 * Normalizes an e-mail address for sending: trimmed, its domain in the form of DNS (`xn--…`); null for invalid ones. Only
 * a mail can show whether the mailbox is read.
 */
export function parseEmailAddress(typed: string): string | null {
  const parts = /^([^\s@"(),:;<>[\\\]]+)@([^\s@/?#\\:[\]]+\.[^\s@/?#\\:[\].]+)$/.exec(typed.trim());
  if (!parts) return null;
  const [, local = "", domain = ""] = parts;
  // Invisible characters could make one address look like another.
  if (/\p{C}/u.test(typed.trim())) return null;
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return null;
  if (!URL.canParse(`http://${domain}`)) return null;
  const host = new URL(`http://${domain}`).hostname;
  const address = `${local.normalize("NFC")}@${host}`;
  // DNS names do not consist of numbers alone and have no empty label.
  return address.length <= MOST_CHARACTERS && /^([a-z0-9_-]+\.)+[a-z][a-z0-9-]+$/.test(host) ? address : null;
}

/** Key of a mailbox, equal for its spellings; almost all servers ignore upper and lower case. */
export const emailKey = (address: string): string => address.toLowerCase();
