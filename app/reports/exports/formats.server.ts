import { domainToUnicode } from "node:url";
import { calendarDay } from "~/platform/i18n/calendar-date";

/** Each format of an export by the ending of its address, with its media type. */
export const EXPORT_FORMATS = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
  pdf: "application/pdf",
  "earl.json": "application/ld+json; charset=utf-8",
  // What OASIS has registered has no parameter; JSON is UTF-8 by itself.
  sarif: "application/sarif+json",
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** The format that an address such as `/run/1/export.csv` names; null when it names none. */
export function exportFormatOf(pathname: string): ExportFormat | null {
  const [, ending = ""] = /\/export\.([a-z.]+)$/.exec(pathname) ?? [];
  return Object.hasOwn(EXPORT_FORMATS, ending) ? (ending as ExportFormat) : null;
}

/** A name that says what it is: `rampe-shop.example-2026-11-21.csv`. */
export function exportFileName(format: ExportFormat, { url, createdAt }: { url: string; createdAt: number }): string {
  const { hostname, port } = new URL(url);
  const site = (domainToUnicode(hostname) || hostname).replace(/^www\./, "").replace(/[[\]:]+/g, "_");
  return `rampe-${port ? `${site}-${port}` : site}-${calendarDay(createdAt)}.${format}`;
}
