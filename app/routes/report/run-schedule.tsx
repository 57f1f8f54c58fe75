import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { RepeatedScan } from "~/monitoring/view/repeated-scan";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm } from "~/platform/forms/read-form";
import { ownReport } from "~/reports/own-report.server";
import { reportMeta } from "~/reports/page.server";
import { repeatedScan } from "~/monitoring/repeated-scan.server";
import { setSchedule } from "~/monitoring/set-schedule.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["history", "report", "runs"] };
export const clientLoader = preloadNamespaces(["history", "report", "runs"]);

export async function loader(args: LoaderFunctionArgs) {
  const report = await ownReport(args);
  const { run, head, userId, locale } = report;
  const t = textsOf(locale).getFixedT(null, "history");
  return data({
    meta: await reportMeta(args, report, t("schedule.title")),
    head,
    repeated: await repeatedScan(args.context, userId, run, `${report.base}/schedule`),
  });
}

/** Creates, changes or ends the schedule. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId, base } = await ownReport(args);
  return setSchedule(args, userId, run, await readForm(args.request), `${base}/schedule`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunSchedule() {
  const { head, repeated } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("history");
  const path = `${head.base}/schedule`;
  return (
    <ReportFrame head={head} current={null}>
      <AnswerSummary answer={answer} />
      <ReportHeading host={head.host}>{t("schedule.heading")}</ReportHeading>
      {repeated.kept && !answer && <KeptNotice isButton={repeated.kept["every"] === undefined} />}
      <p className="lead">{t(`schedule.lead.${head.scope}`)}</p>
      <RepeatedScan path={path} answer={answer} settings="run" {...repeated} />
      <ul className="link-list">
        <li>
          <Link to={head.base}>{t("backToReport")}</Link>
        </li>
        <li>
          <Link to="/runs/schedules">{t("schedules.all")}</Link>
        </li>
      </ul>
    </ReportFrame>
  );
}
