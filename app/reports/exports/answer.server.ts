import { attachment } from "~/platform/http/content-disposition";
import { EXPORT_FORMATS, exportFileName, type ExportFormat } from "./formats.server";
import type { Locale } from "~/platform/i18n/i18n";
import type { Exports } from "./export.server";
import type { ReportPdfs } from "~/reports/pdf/run-report.server";
import type { Run } from "~/runs/run.server";
import { csvParts } from "./csv";
import { earlParts } from "./earl";
import { jsonParts } from "./json";
import { sarifParts } from "./sarif";

interface ExportOrder {
  format: ExportFormat;
  /** Language of a report for people; formats for programs use the engine's English. */
  locale: Locale;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Resolves when the connection accepts more data. */
  drained?: () => Promise<void>;
}

/**
 * A run as a file; null if too many PDFs are waiting to be printed. The run must be over. The caller has already found it
 * for its owner, who may see the full report.
 */
export async function answerExport(
  { exports, reportPdfs }: { exports: Exports; reportPdfs: ReportPdfs },
  run: Run,
  { format, locale, signal, drained }: ExportOrder,
): Promise<Response | null> {
  const headers = {
    "Content-Type": EXPORT_FORMATS[format],
    "Content-Disposition": attachment(exportFileName(format, run)),
    "Cache-Control": "private, no-store",
  };
  if (format === "pdf") {
    const pdf = await reportPdfs.print(run, locale, signal);
    return pdf && new Response(pdf, { headers: { ...headers, "Content-Language": locale } });
  }
  return new Response(streamOf(await partsOf(format, exports, run), drained), { headers });
}

async function partsOf(
  format: Exclude<ExportFormat, "pdf">,
  exports: Exports,
  run: Run,
): Promise<AsyncGenerator<string, void>> {
  const facts = await exports.facts(run);
  const pages = exports.pages(run);
  switch (format) {
    case "json":
      return jsonParts(facts, exports.stats(run), pages);
    case "csv":
      return csvParts(facts, pages);
    case "earl.json":
      return earlParts(facts, pages);
    case "sarif":
      return sarifParts(facts, pages);
  }
}

/** Requests a part only when there is room for it, and stops when the reader cancels. */
export function streamOf(parts: AsyncGenerator<string, void>, drained?: () => Promise<void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      await drained?.();
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
