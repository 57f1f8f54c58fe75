import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import type { EventLog } from "~/platform/event-log";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import type { Run } from "~/runs/run";
import type { ObjectStore } from "~/platform/objects/object-store";
import { createKeptPdfs } from "./kept-pdfs.server";
import { accessiblePdf } from "./tags/accessible-pdf";
import type { PdfFile, PdfPrinter } from "./printer.server";
import { Report } from "./report";
import type { OnlineReport } from "./report-view";
import { viewOfRun, type ViewSources } from "./run-view.server";
import { styleSheet } from "./style-sheet.server";
import { wordsOf } from "./words.server";

export interface ReportPdfsOptions extends ViewSources {
  printer: Pick<PdfPrinter, "print">;
  /** Store for finished PDFs; null: each request prints again. */
  objects?: Pick<ObjectStore, "get" | "put"> | null;
  log: EventLog;
}

interface ShareToken {
  token: string;
  /** Unix time in ms. */
  expiresAt: number;
}

/** The same document is already stored as a PDF. */
class PrintedBefore extends Error {
  override name = "PrintedBefore";

  constructor(readonly pdf: PdfFile) {
    super("this document was printed before");
  }
}

export type ReportPdfs = ReturnType<typeof createReportPdfs>;

/** Reports for people, of finished runs. The caller has already found the run for its owner. */
export function createReportPdfs({ printer, objects = null, log, ...sources }: ReportPdfsOptions) {
  const kept = objects && createKeptPdfs(objects);
  return { html, print };

  /** Report as an HTML document without scripts and external resources. */
  async function html(run: Run, locale: Locale, shared?: OnlineReport): Promise<string> {
    const words = wordsOf(locale);
    const view = await viewOfRun(sources, run, words, shared);
    const markup = renderToStaticMarkup(
      <I18nextProvider i18n={textsOf(locale)}>
        <Report view={view} words={words} style={styleSheet(words, view.cover)} />
      </I18nextProvider>,
    );
    return `<!doctype html>${markup}`;
  }

  /**
   * The report as an accessible PDF (PDF/UA-1).
   * @param share token of a public link for the report; undefined for none
   * @returns null if too many others are waiting
   */
  async function print(run: Run, locale: Locale, signal: AbortSignal, share?: ShareToken): Promise<PdfFile | null> {
    const online = share && { url: `${sources.baseUrl}/shared/${share.token}`, sharedUntil: share.expiresAt };
    // The store must not contain a valid link to the report.
    const store = share ? null : kept;
    let document = "";
    /** Runs when the printer is free, because a document needs as much memory as its print. */
    const write = async () => {
      document = await html(run, locale, online);
      const earlier = await store?.find(run.id, document);
      if (earlier) throw new PrintedBefore(earlier);
      return document;
    };
    const printed = await printer.print(run.id, write, signal).catch((error: unknown) => {
      if (error instanceof PrintedBefore) return error;
      throw error;
    });
    if (!printed) return null;
    if (printed instanceof PrintedBefore) return printed.pdf;
    try {
      const finished = await accessiblePdf(printed, document);
      await store?.keep(run.id, document, finished);
      return finished;
    } catch (error) {
      // Unexpected files of another Chromium version: the unchanged file is tagged too, but does not claim to be PDF/UA.
      log("report could not be made PDF/UA", { err: error });
      return printed;
    }
  }
}
