/**
 * Export formats by the extension of their address, in the order of the report page. `label`: their texts in `passOn` of
 * `report.json`. Their writers are in `answer.server.ts`.
 */
export const EXPORT_FORMATS = {
  pdf: { mediaType: "application/pdf", label: "pdf" },
  csv: { mediaType: "text/csv; charset=utf-8; header=present", label: "csv" },
  json: { mediaType: "application/json; charset=utf-8", label: "json" },
  // No charset parameter: OASIS registered none, and JSON is always UTF-8.
  sarif: { mediaType: "application/sarif+json", label: "sarif" },
  "earl.json": { mediaType: "application/ld+json; charset=utf-8", label: "earl" },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

export const exportFormats = Object.keys(EXPORT_FORMATS) as ExportFormat[];

/** The format of an address such as `/run/1/export.csv`; null if unknown. */
export function exportFormatOf(pathname: string): ExportFormat | null {
  const [, ending = ""] = /\/export\.([a-z.]+)$/.exec(pathname) ?? [];
  return exportFormats.find((format) => format === ending) ?? null;
}
