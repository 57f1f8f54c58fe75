import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageTable } from "~/components/report/page-table";
import { ReportFrame } from "~/components/report/report-frame";
import { textsOf } from "~/lib/i18n.server";
import { knownLanguage } from "~/lib/language-tag";
import { pageMeta } from "~/lib/page-meta";
import { openReport, reportMeta } from "~/report-page.server";
import type { PageRow } from "~/lib/report-view";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";

export const handle = { i18n: ["report", "check"] };
export const clientLoader = textsFirst(["report", "check"]);

const PER_PART = 50;

export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const query = new URL(args.request.url).searchParams;
  const after = Math.trunc(Number(query.get("after") ?? -1));
  const failedOnly = query.has("failed");
  const { pages, next } = await args.context.services.reports.pages(report.run.id, {
    after: Number.isFinite(after) ? after : -1,
    limit: PER_PART,
    failedOnly,
  });
  const t = textsOf(report.locale).getFixedT(null, "report");
  return data({
    meta: await reportMeta(args, report, t("part.pages")),
    head: report.head,
    pages: pages.map(({ lang, finalUrl, ...page }): PageRow => ({ ...page, url: finalUrl ?? page.url, titleLang: knownLanguage(lang) })),
    failedOnly,
    isFirst: after < 0,
    next,
  });
}

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Pages() {
  const { head, pages, failedOnly, isFirst, next } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  const path = `/run/${head.id}/pages`;
  const link = (after: number | null) => {
    const query = new URLSearchParams({ ...(failedOnly && { failed: "1" }), ...(after !== null && { after: String(after) }) });
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return (
    <ReportFrame head={head} current="pages">
      <h1>{t("part.pages")}</h1>
      <p className="lead">{failedOnly ? t("pages.failedLead") : t("pages.lead")}</p>
      <p>
        {failedOnly ? <Link to={path}>{t("pages.all")}</Link> : <Link to={`${path}?failed=1`}>{t("pages.failedOnly")}</Link>}
      </p>
      {pages.length === 0 ? <p>{t("pages.none")}</p> : <PageTable runId={head.id} pages={pages} />}
      <nav className="pager" aria-label={t("rule.parts")}>
        {!isFirst && <Link to={link(null)}>{t("pages.first")}</Link>}
        {next !== null && <Link to={link(next)}>{t("rule.next")}</Link>}
      </nav>
    </ReportFrame>
  );
}
