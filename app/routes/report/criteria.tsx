import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ConditionTable } from "~/reports/view/condition-table";
import { CriteriaTable } from "~/reports/view/criteria-table";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { CRITERION_STATES } from "~/findings/success-criteria";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import type { CriterionVerdict } from "~/reports/report-view";
import { conditionRows, criterionRows } from "~/reports/criterion-rows.server";
import { openReport } from "~/reports/open-report.server";
import { assessedOf } from "~/reports/review/assessed";
import type { CriterionReviews } from "~/reports/review/verdict";
import { reportMeta } from "~/reports/page.server";

export const handle = { i18n: ["report", "check"] };
export const clientLoader = preloadNamespaces(["report", "check"]);

const NONE: CriterionReviews = new Map();

export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const { run, head, locale, withheld, headers } = report;
  const results = { rules: report.allRules, unfinished: await report.readers.reports.unfinishedRules(run.id) };
  const t = textsOf(locale).getFixedT(null, "report");
  const reviews = report.reader === "sample" || run.owner === null ? NONE : await args.context.services.criterionReviews.ofRun(run.owner, run);
  return data(
    {
      meta: await reportMeta(args, report, t("part.criteria")),
      head,
      criteria: criterionRows(run.standard, results, locale, withheld),
      verdicts: verdictsOf(reviews),
      assessed: assessedOf(run.standard, reviews),
      conditions: conditionRows(run.standard, results, locale),
    },
    { headers },
  );
}

/** Verdicts without notes and names: readers of shared links see them too. */
function verdictsOf(reviews: CriterionReviews): Partial<Record<string, CriterionVerdict>> {
  return Object.fromEntries([...reviews].flatMap(([number, { verdict, at }]) => (verdict === "open" ? [] : [[number, { verdict, at }]])));
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Criteria() {
  const { head, criteria, verdicts, assessed, conditions } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  return (
    <ReportFrame head={head} current="criteria">
      <ReportHeading host={head.host}>{t("criteria.heading")}</ReportHeading>
      <p className="lead">{t("criteria.lead")}</p>
      <ul className="plain-list">
        {CRITERION_STATES.map((state) => (
          <li key={state}>
            <strong>{criteria.filter((criterion) => criterion.state === state).length}</strong> {t(`criteria.state.${state}`)}
            <div className="hint">{t(`criteria.means.${state}`)}</div>
          </li>
        ))}
      </ul>
      {head.reader === "owner" ? (
        <p>
          <Link to={`${head.base}/review/criteria`}>{t("criteria.assess")}</Link> ({t("criteria.assessed", assessed)})
        </p>
      ) : (
        assessed.count > 0 && <p>{t("criteria.assessed", assessed)}</p>
      )}
      <CriteriaTable base={head.base} criteria={criteria} verdicts={verdicts} />
      <p className="hint">{t("criteria.clauses")}</p>
      {conditions.length > 0 && (
        <section aria-labelledby="conditions">
          <h2 id="conditions">{t("criteria.conditions.heading")}</h2>
          <p>{t("criteria.conditions.lead")}</p>
          <p className="hint">{t("criteria.conditions.legend")}</p>
          <ConditionTable rows={conditions} />
        </section>
      )}
    </ReportFrame>
  );
}
