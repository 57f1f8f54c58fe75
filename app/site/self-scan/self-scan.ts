import latest from "./self-scan.json";
import type { Locale } from "~/platform/i18n/i18n";

/** Scan result of one of our own pages in one language. */
export interface ScannedPage {
  path: string;
  locale: Locale;
  /** The page's title without the product's name; its path if it could not be checked. */
  title: string;
  /** Numbers of rules; null where the page could not be checked. */
  counts: { violations: number; incomplete: number; passes: number } | null;
}

/** The scan of our own public pages that is kept with a release; `scripts/self-scan.ts` writes it. */
export interface SelfScan {
  /** The day, as ISO 8601; null before the first scan. */
  at: string | null;
  standard: string;
  engine: string;
  pages: ScannedPage[];
}

export const SELF_SCAN = latest as SelfScan;

/** Sums over all pages that could be checked. */
export function sumUp({ pages }: SelfScan): { violations: number; incomplete: number } {
  const sum = (category: "violations" | "incomplete") =>
    pages.reduce((total, { counts }) => total + (counts?.[category] ?? 0), 0);
  return { violations: sum("violations"), incomplete: sum("incomplete") };
}
