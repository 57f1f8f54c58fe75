import { domainToUnicode } from "node:url";
import { attachment } from "~/platform/http/content-disposition";
import { calendarDay } from "~/platform/i18n/calendar-date";
import type { Locale } from "~/platform/i18n/i18n";
import type { ReportPdfs } from "~/reports/pdf/run-report.server";
import type { Run } from "~/runs/run";
import { csvParts } from "./csv";
import { csvForReaders } from "./csv-for-readers.server";
import { earlParts } from "./earl";
import type { Exports } from "./export.server";
import { EXPORT_FORMATS, type ExportFormat } from "./formats";
import { jsonParts } from "./json";
import { sarifParts } from "./sarif";

interface Services {
  exports: Exports;
  reportPdfs: ReportPdfs;
}

interface ExportOptions {
  /** Language of a report for people; formats for programs use the engine's English. */
  locale: Locale;
  /** Whether it is for programs: tables in English, with stable column names. */
  forProgram?: boolean;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Resolves when the connection accepts more data. */
  drained?: () => Promise<void>;
  /** Token of a shared link, for reports for people; the caller has checked it. */
  share?: { token: string; expiresAt: number };
}

type Parts = AsyncGenerator<string, void>;

interface Content {
  body: Parts | Uint8Array<ArrayBuffer>;
  /** Language of a report for people. */
  locale?: Locale;
}

/** Null if it is too busy to write now. */
type Writer = (services: Services, run: Run, options: ExportOptions) => Promise<Content | null>;

const WRITERS: Record<ExportFormat, Writer> = {
  async csv({ exports }, run, { locale, forProgram }) {
    const facts = await exports.facts(run);
    return forProgram ? { body: csvParts(facts, exports.pages(run)) } : { body: csvForReaders(facts, exports.pages(run), locale), locale };
  },
  json: async ({ exports }, run) => ({ body: jsonParts(await exports.facts(run), exports.stats(run), exports.pages(run)) }),
  sarif: async ({ exports }, run) => ({ body: sarifParts(await exports.facts(run), exports.pages(run)) }),
  "earl.json": async ({ exports }, run) => ({ body: earlParts(await exports.facts(run), exports.pages(run)) }),
  async pdf({ reportPdfs }, run, { locale, signal, share }) {
    const body = await reportPdfs.print(run, locale, signal, share);
    return body && { body, locale };
  },
};

/**
 * A finished run as a file; null if too many PDFs are waiting to be printed. The caller has already found the run
 * for its owner, who may see the full report.
 */
export async function answerExport(
  services: Services,
  run: Run,
  { format, ...options }: ExportOptions & { format: ExportFormat },
): Promise<Response | null> {
  const content = await WRITERS[format](services, run, options);
  if (!content) return null;
  const { body, locale } = content;
  const headers = {
    "Content-Type": EXPORT_FORMATS[format].mediaType,
    "Content-Disposition": attachment(exportFileName(format, run)),
    "Cache-Control": "private, no-store",
    ...(locale && { "Content-Language": locale }),
  };
  return new Response(body instanceof Uint8Array ? body : streamOf(body, options), { headers });
}

/** Descriptive file name: `rampe-shop.example-2026-11-21.csv`. */
export function exportFileName(format: ExportFormat, { url, createdAt }: { url: string; createdAt: number }): string {
  const { hostname, port } = new URL(url);
  const site = (domainToUnicode(hostname) || hostname).replace(/^www\./, "").replace(/[[\]:]+/g, "_");
  return `rampe-${port ? `${site}-${port}` : site}-${calendarDay(createdAt)}.${format}`;
}

/** Stream with backpressure; it stops when the reader has disconnected. */
export function streamOf(parts: Parts, { drained, signal }: Pick<ExportOptions, "drained" | "signal">): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      await drained?.();
      // Remix never cancels a stream: it would continue writing to a closed connection.
      if (signal.aborted) await parts.return(undefined);
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
