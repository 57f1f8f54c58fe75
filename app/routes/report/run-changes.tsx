import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Changes } from "~/monitoring/view/changes";
import { CompareForm } from "~/monitoring/view/compare-form";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { runToCompareWith } from "~/monitoring/history.server";
import { changesView, runChoice } from "~/monitoring/history-views.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { ownReport } from "~/reports/own-report.server";
import { reportMeta } from "~/reports/page.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["history", "report", "check"] };
export const clientLoader = preloadNamespaces(["history", "report", "check"]);

/** Changes since an earlier run: the run in `with`, otherwise the latest comparable one. */
export async function loader(args: LoaderFunctionArgs) {
  const report = await ownReport(args);
  const { run, head, userId, locale, withheld } = report;
  const { histories, reportEntitlements } = args.context.services;
  const t = textsOf(locale).getFixedT(null, "history");
  const earlier = await histories.earlier(userId, run);
  const wanted = new URL(args.request.url).searchParams.get("with");
  const before = wanted === null ? runToCompareWith(run, earlier) : earlier.find(({ id }) => id === wanted);
  if (wanted !== null && !before) throw data(null, { status: 404 });
  return data({
    meta: await reportMeta(args, report, t("changes.title")),
    head,
    isFirst: before === undefined && !(await histories.hasEarlier(userId, run)),
    earlier: earlier.map((each) => runChoice(each, locale)),
    changes: before ? changesView(await histories.compare(before, run), locale, [
          ...(await reportEntitlements.withheld(before)),
          ...withheld,
        ]) : null,
  });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunChanges() {
  const { head, isFirst, earlier, changes } = useLoaderData<typeof loader>();
  const { t } = useTranslation("history");
  return (
    <ReportFrame head={head} current="changes">
      <ReportHeading host={head.host}>{t("changes.heading")}</ReportHeading>
      {changes ? (
        <>
          <Changes {...changes} />
          {earlier.length > 1 && <CompareForm base={head.base} earlier={earlier} chosen={changes.before.id} />}
        </>
      ) : (
        <div className="empty-state">
          <p>
            <strong>{t(isFirst ? "changes.first" : "changes.gone")}</strong>
          </p>
          <p>{t(isFirst ? "changes.firstHint" : "changes.goneHint")}</p>
        </div>
      )}
      <ul className="link-list">
        <li>
          <Link to={`${head.base}/history`}>{t("changes.history")}</Link>
        </li>
        <li>
          <Link to={`${head.base}/schedule`}>{t("changes.schedule")}</Link>
        </li>
      </ul>
    </ReportFrame>
  );
}
