import type { Locale } from "~/platform/i18n/i18n";

/** What sellers in the EU have to show: general terms, and how to withdraw from a purchase. */
export const LEGAL_TEXTS = ["terms", "withdrawal"] as const;
export type LegalTextKey = (typeof LEGAL_TEXTS)[number];

/** Their pages by path, one in each language. */
export const LEGAL_PAGES = { terms: "terms", agb: "terms", withdrawal: "withdrawal", widerruf: "withdrawal" } as const;

/** Where the operator's texts are, a path of ours or an address; null where there is none. */
export type LegalLinks = Record<LegalTextKey, string | null>;

/** A text in the order of its blocks; its headings begin at level 2. */
export interface LegalDocument {
  /** Its first heading, where the text begins with one. */
  title: string | null;
  /** The language it is written in. */
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

/** The text at a path that the router has matched, which it does decoded and in any case of letters. */
export function legalTextAt(pathname: string): LegalTextKey {
  const path = decodeURIComponent(pathname).replaceAll("/", "").toLowerCase();
  return LEGAL_PAGES[path as keyof typeof LEGAL_PAGES];
}
