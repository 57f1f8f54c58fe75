// Invisible characters, and characters that change the display order of nearby text.
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;
// Harmless exceptions: line breaks, tabs, and direction marks that mixed-direction texts need.
const HARMLESS = new Set(["\n", "\r", "\t", "\u061C", "\u200E", "\u200F"]);

/**
 * Text of a checked page, safe to store and show: well-formed Unicode of at most `max` characters ("…" marks a cut).
 * Invisible characters that could change the displayed text are replaced by their number, e.g. `⟨U+202E⟩`.
 */
export function sanitizeUntrustedText(text: string, max: number): string {
  // Cut first, so that a page cannot make us process megabytes; replaced characters make the text longer again.
  const beginning = text.length > max ? `${text.slice(0, max)}…` : text;
  return beginning.toWellFormed().replace(UNSEEN, codePoint);
}

function codePoint(character: string): string {
  if (HARMLESS.has(character)) return character;
  return `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** Sanitizes every text inside plain data. */
export function sanitizeUntrustedData(data: unknown, max: number): unknown {
  if (typeof data === "string") return sanitizeUntrustedText(data, max);
  if (Array.isArray(data)) return data.map((entry) => sanitizeUntrustedData(entry, max));
  if (data === null || typeof data !== "object") return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [sanitizeUntrustedText(key, max), sanitizeUntrustedData(value, max)]),
  );
}
