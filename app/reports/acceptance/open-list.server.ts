import type { LoaderFunctionArgs } from "@remix-run/node";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { reportMeta, type OpenReport } from "~/reports/page.server";
import { acceptanceRows } from "./views.server";

const PER_PAGE = 20;

/** List of acceptances for a report's website. */
export async function openAcceptances(args: LoaderFunctionArgs, report: OpenReport) {
  const { run, head, locale, base, reader, allRules, withheld } = report;
  const { acceptances } = args.context.services;
  const all = run.owner === null ? [] : await acceptances.ofWebsite(run.owner, run);
  const listed = { acceptances: all, accepted: await acceptances.ofRun(run.id), rules: allRules, withheld, evidenceGone: run.evidence === "gone" };
  const rows = acceptanceRows(listed, { base, reader, locale });
  const pageNumber = pageNumberOf(args.request);
  const pageCount = pageCountOf(args.request, rows.length, PER_PAGE);
  const t = textsOf(locale).getFixedT(null, "acceptance");
  const kept = (await args.context.visitor.takeKept(`${base}/accepted`)) !== null;
  return { meta: await reportMeta(args, report, t("list.title")), head, kept, pageNumber, pageCount, rows: rows.slice((pageNumber - 1) * PER_PAGE, pageNumber * PER_PAGE) };
}
