/** RFC 5321 allows no longer path. */
const MOST_CHARACTERS = 254;

/**
 * The address as mail can be sent to it: trimmed, its domain as the name service knows it (`xn--…`); null for what is
 * none. Whether anybody reads it, only a mail can tell.
 */
export function parseEmailAddress(typed: string): string | null {
  const parts = /^([^\s@"(),:;<>[\\\]]+)@([^\s@/?#\\:[\]]+\.[^\s@/?#\\:[\].]+)$/.exec(typed.trim());
  if (!parts) return null;
  const [, local = "", domain = ""] = parts;
  // Nobody sees them, and so one address would look like another.
  if (/\p{C}/u.test(typed.trim())) return null;
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return null;
  if (!URL.canParse(`http://${domain}`)) return null;
  const host = new URL(`http://${domain}`).hostname;
  const address = `${local.normalize("NFC")}@${host}`;
  // A name service knows no address of numbers alone, and no empty label.
  return address.length <= MOST_CHARACTERS && /^([a-z0-9_-]+\.)+[a-z][a-z0-9-]+$/.test(host) ? address : null;
}

/** The same for two ways to write one mailbox; nearly no server tells capitals apart. */
export const emailKey = (address: string): string => address.toLowerCase();
