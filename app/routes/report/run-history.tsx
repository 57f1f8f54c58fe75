import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { isInTrend } from "~/monitoring/history-view";
import { TrendPicture } from "~/monitoring/view/trend-picture";
import { TrendTable } from "~/monitoring/view/trend-table";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { trendPoint } from "~/monitoring/history-views.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { ownReport } from "~/reports/own-report.server";
import { reportMeta } from "~/reports/page.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["history", "report", "runs"] };
export const clientLoader = preloadNamespaces(["history", "report", "runs"]);

export async function loader(args: LoaderFunctionArgs) {
  const report = await ownReport(args);
  const { run, head, userId, locale } = report;
  const { entries, more } = await args.context.services.histories.entries(userId, run);
  const t = textsOf(locale).getFixedT(null, "history");
  return data({
    meta: await reportMeta(args, report, t("trend.title")),
    head,
    runId: run.id,
    points: entries.map(trendPoint),
    more,
  });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunHistory() {
  const { head, runId, points, more } = useLoaderData<typeof loader>();
  const { t } = useTranslation("history");
  const standards = [...new Set(points.map(({ standard }) => standard))];
  return (
    <ReportFrame head={head} current="history">
      <ReportHeading host={head.host}>{t("trend.heading")}</ReportHeading>
      <p className="lead">{t(`trend.lead.${head.scope}`)}</p>
      {standards.length > 1 && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("trend.standards", { standards: standards.join(", ") })}</span>
        </p>
      )}
      <TrendPicture points={points.filter(isInTrend)} hasTable />
      <TrendTable current={runId} points={points} />
      {more && <p className="hint">{t("trend.more", { count: points.length })}</p>}
      <p>
        <Link to={`${head.base}/changes`}>{t("trend.changes")}</Link>
      </p>
    </ReportFrame>
  );
}
