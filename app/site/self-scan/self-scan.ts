import latest from "./self-scan.json";
import type { Locale } from "~/platform/i18n/i18n";

/** Scan result of one of our own pages in one language. */
export interface ScannedPage {
  path: string;
  locale: Locale;
  /** Title of the page without the product's name; its path if it could not be checked. */
  title: string;
  /** Numbers of rules; null where the page could not be checked. */
  counts: { violations: number; incomplete: number; passes: number } | null;
}

/** Scan of our own public pages, part of each release; written by `scripts/self-scan.ts`. */
export interface SelfScan {
  /** Day of the scan (ISO 8601); null before the first scan. */
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
