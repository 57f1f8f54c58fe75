import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ErrorSummary } from "~/ui/form/error-summary";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { StatementDraft } from "~/reports/statement/draft";
import { StatementForm } from "~/reports/statement/form";
import { calendarDay, formatCalendarDate } from "~/platform/i18n/calendar-date";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { reportMeta } from "~/reports/page.server";
import { statusOfForm } from "~/platform/forms/form-answer.server";
import { openStatement } from "~/reports/statement/page.server";

export const handle = { i18n: ["statement", "report"] };
export const clientLoader = preloadNamespaces(["statement", "report"]);

/** Draft of a statement from the answers in the address; nothing is stored. */
export async function loader(args: LoaderFunctionArgs) {
  const { report, checkedOn, form, draft } = await openStatement(args);
  const { head, locale } = report;
  const t = textsOf(locale).getFixedT(null, "statement");
  const day = formatCalendarDate(checkedOn, locale);
  const problems = form.problems.map(({ field, problem }) => ({ field, message: t(`problem.${problem}`, { day }) }));
  const status = statusOfForm(args.context, problems.length > 0);
  const answer = {
    meta: await reportMeta(args, report, draft ? t("result.heading") : t("title")),
    head,
    draft,
    problems,
    typed: { service: head.host, date: calendarDay(Date.now()), language: locale, ...form.typed },
    query: new URL(args.request.url).search,
  };
  return data(answer, { status });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Statement() {
  const { head, draft, problems, typed, query } = useLoaderData<typeof loader>();
  const { t } = useTranslation("statement");
  const path = `${head.base}/statement`;
  return (
    <ReportFrame head={head} current={null}>
      <ErrorSummary errors={problems.map(({ field, message }) => ({ fieldId: field, message }))} />
      <ReportHeading host={head.host}>{draft ? t("result.heading") : t("heading")}</ReportHeading>
      {draft ? (
        <StatementDraft path={path} query={query} draft={draft} />
      ) : (
        <>
          <p className="lead">{t("lead")}</p>
          <p className="prose-line">{t("notStored")}</p>
        </>
      )}
      {draft && <h2>{t("change")}</h2>}
      {/* New key for new answers in the address, for example after going back. */}
      <StatementForm key={query} path={path} typed={typed} problems={problems} />
      <p>
        <Link to={head.base}>{t("back")}</Link>
      </p>
    </ReportFrame>
  );
}
