// What cannot be seen, or makes the text around it appear in another order.
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;
// Line breaks, tabs, and the marks that texts in mixed directions need; these change nothing else.
const HARMLESS = new Set(["\n", "\r", "\t", "\u061C", "\u200E", "\u200F"]);

/**
 * Text of a checked page as it may be kept and shown: well-formed Unicode of at most `max` characters (then "…" marks the
 * cut), in which nothing invisible changes what is read; such characters are shown by their number, e.g. `⟨U+202E⟩`.
 */
export function sanitizeUntrustedText(text: string, max: number): string {
  // Cut first, so that a page cannot make us look at megabytes; what is shown by its number gets longer again.
  const beginning = text.length > max ? `${text.slice(0, max)}…` : text;
  return beginning.toWellFormed().replace(UNSEEN, codePoint);
}

function codePoint(character: string): string {
  if (HARMLESS.has(character)) return character;
  return `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The same for every text inside plain data. */
export function sanitizeUntrustedData(data: unknown, max: number): unknown {
  if (typeof data === "string") return sanitizeUntrustedText(data, max);
  if (Array.isArray(data)) return data.map((entry) => sanitizeUntrustedData(entry, max));
  if (data === null || typeof data !== "object") return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [sanitizeUntrustedText(key, max), sanitizeUntrustedData(value, max)]),
  );
}
