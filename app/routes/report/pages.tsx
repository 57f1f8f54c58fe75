import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { OffsiteRedirects } from "~/reports/view/offsite-redirects";
import { PageTable } from "~/reports/view/pages/page-table";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { failureReason } from "~/findings/failure-reason";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { textsOf } from "~/platform/i18n/i18n.server";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { reachedBy } from "~/findings/page-address";
import { pageMeta } from "~/platform/http/page-meta";
import type { PageRow } from "~/reports/report-view";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import type { PageSummary } from "~/reports/report.server";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/page.server";

export const handle = { i18n: ["report", "check"] };
export const clientLoader = preloadNamespaces(["report", "check"]);

const PER_PAGE = 50;

export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const { run, head, locale, readers, headers } = report;
  const query = new URL(args.request.url).searchParams;
  const after = positionIn(query.get("after"));
  const failedOnly = query.has("failed");
  const { pages, next } = await readers.reports.pages(run.id, { after: after ?? undefined, limit: PER_PAGE, failedOnly });
  const walks = report.reader === "sample" ? [] : await args.context.services.keyboardWalks.pagesWithWalk(run.id);
  const t = textsOf(locale).getFixedT(null, "report");
  return data(
    {
      meta: await reportMeta(args, report, t("part.pages")),
      head,
      pages: pages.map((page) => ({ ...pageRow(page), hasWalk: walks.includes(page.id) })),
      elsewhere: (after === null && run.crawl?.elsewhere) || [],
      failedOnly,
      isFirst: after === null,
      next,
    },
    { headers },
  );
}

function pageRow({ lang, finalUrl, httpStatus, ...page }: PageSummary): Omit<PageRow, "hasWalk"> {
  return {
    ...page,
    reached: reachedBy({ url: page.url, finalUrl }),
    reason: failureReason({ reason: page.reason, httpStatus }),
    titleLang: knownLanguage(lang),
  };
}

/** Position of the first row; null for the beginning, also for a missing or invalid position. */
function positionIn(after: string | null): number | null {
  return after !== null && /^\d{1,9}$/.test(after) ? Number(after) : null;
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Pages() {
  const { head, pages, elsewhere, failedOnly, isFirst, next } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  const path = `${head.base}/pages`;
  const link = (after: number | null) => {
    const query = new URLSearchParams({ ...(failedOnly && { failed: "1" }), ...(after !== null && { after: String(after) }) });
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return (
    <ReportFrame head={head} current="pages">
      <ReportHeading host={head.host}>{t("part.pages")}</ReportHeading>
      <p className="lead">{failedOnly ? t("pages.failedLead") : t("pages.lead")}</p>
      <p>
        {failedOnly ? <Link to={path}>{t("pages.all")}</Link> : <Link to={`${path}?failed=1`}>{t("pages.failedOnly")}</Link>}
      </p>
      {pages.length === 0 ? <p>{t("pages.none")}</p> : <PageTable base={head.base} pages={pages} />}
      {elsewhere.length > 0 && (
        <section aria-labelledby="elsewhere" className="prose">
          <h2 id="elsewhere">{t("pages.elsewhere")}</h2>
          <p>{t("pages.elsewhereText")}</p>
          <OffsiteRedirects addresses={elsewhere} />
        </section>
      )}
      {(!isFirst || next !== null) && (
        <nav className="pager" aria-label={t("rule.parts")}>
          {!isFirst && <Link to={link(null)}>{t("pages.first")}</Link>}{" "}
          {next !== null && <Link to={link(next)}>{t("rule.next")}</Link>}
        </nav>
      )}
    </ReportFrame>
  );
}
