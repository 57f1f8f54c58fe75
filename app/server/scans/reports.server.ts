import type { Logger } from "pino";
import type { Db } from "db/schema";
import type { Env } from "~/platform/env.server";
import { productName } from "~/platform/product-name.server";
import { lazyAsync } from "~/platform/async/lazy-async";
import { createChecks, type Checks } from "~/reports/check/check.server";
import { createEvidence, type Evidence } from "~/findings/evidence.server";
import type { PictureStore } from "~/findings/picture-store.server";
import type { ObjectStore } from "~/platform/objects/object-store";
import { createExports, type Exports } from "~/reports/exports/export.server";
import { createFindings, type FindingsReader } from "~/findings/finding.server";
import { createKeyboardWalks, type KeyboardWalks } from "~/findings/keyboard-walk.server";
import { createPagePictures, type PagePictures } from "~/findings/page-picture.server";
import { createHistories, type Histories } from "~/monitoring/history.server";
import { createRunChanges, type RunChanges } from "~/monitoring/websites/run-changes.server";
import { createPages, type Pages } from "~/runs/page.server";
import type { ScanRequests } from "~/runs/scan-request.server";
import { createReportEntitlements, type ReportEntitlements } from "~/reports/report-entitlement.server";
import { createReportCovers, type ReportCovers } from "~/reports/report-cover.server";
import { createReports, type Reports } from "~/reports/report.server";
import { createReviews, type Reviews } from "~/reports/review/review.server";
import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import { createFindingNotes, type FindingNotes } from "~/findings/acceptance/finding-notes.server";
import { createCriterionReviews, type CriterionReviewStore } from "~/reports/review/criterion-reviews.server";
import { createRunLists, type RunLists } from "~/runs/list.server";
import type { Runs } from "~/runs/run.server";
import type { Sample } from "~/reports/sample/sample.server";
import { createShares, type Shares } from "~/reports/share/share.server";
import type { PdfPrinter } from "~/reports/pdf/printer.server";
import { createReportPdfs, type ReportPdfs } from "~/reports/pdf/run-report.server";
import { eventLog } from "~/server/event-log.server";
import { readSample } from "./sample.server";

/** Reports about runs, and additions of users to them. */
export interface ReportServices {
  runLists: RunLists;
  reports: Reports;
  pages: Pages;
  findings: FindingsReader;
  evidence: Evidence;
  keyboardWalks: KeyboardWalks;
  pagePictures: PagePictures;
  histories: Histories;
  runChanges: RunChanges;
  reviews: Reviews;
  criterionReviews: CriterionReviewStore;
  acceptances: Acceptances;
  findingNotes: FindingNotes;
  reportEntitlements: ReportEntitlements;
  reportCovers: ReportCovers;
  shares: Shares;
  checks: Checks;
  exports: Exports;
  reportPdfs: ReportPdfs;
  /** The public sample report. */
  sample: () => Promise<Sample>;
}

interface ReportOptions {
  db: Db;
  runs: Runs;
  acceptances: Acceptances;
  scanRequests: ScanRequests;
  printer: PdfPrinter;
  pictures: PictureStore;
  /** Store of finished PDFs; null without one: PDFs are then printed for each request. */
  objects: ObjectStore | null;
}

export function openReports(
  env: Env,
  log: Logger,
  { db, runs, acceptances, scanRequests, printer, pictures, objects }: ReportOptions,
): ReportServices {
  const pages = createPages({ db });
  const findings = createFindings({ db });
  const reports = createReports({ db, acceptances });
  const evidence = createEvidence({ db, pictures });
  const reviews = createReviews({ db });
  const criterionReviews = createCriterionReviews({ db });
  const reportEntitlements = createReportEntitlements({ db, scanRequests, reports });
  const reportCovers = createReportCovers({ db, scanRequests });
  const histories = createHistories({ db, acceptances });
  const runChanges = createRunChanges({ db, histories, acceptances, log: eventLog(log) });
  const operator = env.OPERATOR_NAME ?? null;
  return {
    runLists: createRunLists({ db, runs, acceptances, forgetChanges: runChanges.forgetOutdated }),
    reports,
    pages,
    findings,
    evidence,
    keyboardWalks: createKeyboardWalks({ db, pictures }),
    pagePictures: createPagePictures({ db, pictures }),
    histories,
    runChanges,
    reviews,
    criterionReviews,
    acceptances,
    findingNotes: createFindingNotes({ db }),
    reportEntitlements,
    reportCovers,
    shares: createShares({ db, acceptances }),
    checks: createChecks({ runs, pages, findings, evidence, pageSeconds: env.SCAN_PAGE_SECONDS, userAgent: env.SCAN_USER_AGENT }),
    exports: createExports({ pages, findings, reviews, criterionReviews, acceptances, reportEntitlements, product: productName(), baseUrl: env.BASE_URL }),
    reportPdfs: createReportPdfs({
      ...{ reports, pages, evidence, reviews, criterionReviews, acceptances, reportEntitlements, reportCovers, printer, objects, operator },
      baseUrl: env.BASE_URL,
      log: eventLog(log),
    }),
    sample: lazyAsync(readSample),
  };
}
