import type { Locale } from "~/platform/i18n/i18n";

/** Texts that sellers in the EU must show: general terms, and withdrawal from a purchase. */
export const LEGAL_TEXTS = ["terms", "withdrawal"] as const;
export type LegalTextKey = (typeof LEGAL_TEXTS)[number];

/** Pages of these texts by path, one in each language. */
export const LEGAL_PAGES = { terms: "terms", agb: "terms", withdrawal: "withdrawal", widerruf: "withdrawal" } as const;

/** Links to the operator's texts: our path or an external address; null for a missing text. */
export type LegalLinks = Record<LegalTextKey, string | null>;

/** Text in blocks; its headings begin at level 2. */
export interface LegalDocument {
  /** Text of the first heading, if the document begins with one. */
  title: string | null;
  /** Language of the text. */
  locale: Locale;
  blocks: TextBlock[];
}

export type TextBlock =
  | { kind: "heading"; level: number; children: TextSpan[] }
  | { kind: "paragraph"; children: TextSpan[] }
  | { kind: "list"; start: number | null; items: TextBlock[][] }
  | { kind: "quote"; blocks: TextBlock[] }
  | { kind: "rule" };

export type TextSpan =
  | string
  | { kind: "strong" | "emphasis" | "code"; children: TextSpan[] }
  | { kind: "link"; href: string; children: TextSpan[] }
  | { kind: "break" };

/** Text at a path that the router matched; the router decodes it and ignores upper and lower case. */
export function legalTextAt(pathname: string): LegalTextKey {
  const path = decodeURIComponent(pathname).replaceAll("/", "").toLowerCase();
  return LEGAL_PAGES[path as keyof typeof LEGAL_PAGES];
}
