import { domainToUnicode } from "node:url";
import { calendarDay } from "~/platform/i18n/calendar-date";

/** Export formats by the extension of their address, with media type. */
export const EXPORT_FORMATS = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
  pdf: "application/pdf",
  "earl.json": "application/ld+json; charset=utf-8",
  // No charset parameter: OASIS registered none, and JSON is always UTF-8.
  sarif: "application/sarif+json",
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** The format of an address such as `/run/1/export.csv`; null if unknown. */
export function exportFormatOf(pathname: string): ExportFormat | null {
  const [, ending = ""] = /\/export\.([a-z.]+)$/.exec(pathname) ?? [];
  return Object.hasOwn(EXPORT_FORMATS, ending) ? (ending as ExportFormat) : null;
}

/** Descriptive file name: `rampe-shop.example-2026-11-21.csv`. */
export function exportFileName(format: ExportFormat, { url, createdAt }: { url: string; createdAt: number }): string {
  const { hostname, port } = new URL(url);
  const site = (domainToUnicode(hostname) || hostname).replace(/^www\./, "").replace(/[[\]:]+/g, "_");
  return `rampe-${port ? `${site}-${port}` : site}-${calendarDay(createdAt)}.${format}`;
}
