import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, type ShouldRevalidateFunction } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ErrorSummary } from "~/ui/form/error-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { CriterionQuestion } from "~/reports/review/criterion-question";
import { WalkLink } from "~/reports/keyboard/walk-link";
import { ReviewFilter } from "~/reports/review/filter";
import { listPath } from "~/reports/review/list-path";
import { positionOf } from "~/reports/review/list-position.server";
import { useAnchorFocus } from "~/reports/review/use-anchor-focus";
import { keptAnswer } from "~/platform/forms/form-answer";
import { refuseQuestions } from "~/platform/forms/form-answer.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageCountOf } from "~/platform/http/pagination.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm } from "~/platform/forms/read-form";
import { criteriaOfStandard } from "~/findings/success-criteria";
import { criterionRows } from "~/reports/criterion-rows.server";
import { ownReport } from "~/reports/own-report.server";
import { reportMeta } from "~/reports/page.server";
import { readVerdicts } from "~/reports/review/criterion-form.server";
import { criterionByField, criterionId, verdictField } from "~/reports/review/criterion-question-view";
import { countsOf, criterionQuestions, questionsIn } from "~/reports/review/criterion-questions.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["reviews", "report", "check"] };
export const clientLoader = preloadNamespaces(["reviews", "report", "check"]);

const PER_PAGE = 20;
const PART = "review/criteria";

export async function loader(args: LoaderFunctionArgs) {
  const report = await ownReport(args);
  const { run, head, userId, locale, withheld } = report;
  const results = { rules: report.allRules, unfinished: await report.readers.reports.unfinishedRules(run.id) };
  const { state, pageNumber } = positionOf(args.request);
  const t = textsOf(locale).getFixedT(null, "reviews");
  const walks = await args.context.services.keyboardWalks.pagesWithWalk(run.id);
  const reviews = await args.context.services.criterionReviews.ofRun(userId, run);
  const at = run.finishedAt ?? run.createdAt;
  const all = criterionQuestions(criterionRows(run.standard, results, locale, withheld), reviews, { at, locale });
  const counts = countsOf(all);
  const named = (new URL(args.request.url).searchParams.get("criterion") ?? "").split(",");
  // Questions of the sent form stay on its page, although another tab or person may have moved them to another list or page.
  const sent = all.filter(({ number }) => named.includes(number));
  const pageCount = sent.length > 0 ? Math.max(pageNumber, Math.ceil(counts[state] / PER_PAGE)) : pageCountOf(args.request, counts[state], PER_PAGE);
  const shown = sent.length > 0 ? sent : questionsIn(state, all).slice((pageNumber - 1) * PER_PAGE, pageNumber * PER_PAGE);
  // Read after the redirect to the last page: reading deletes the kept form.
  const form = await args.context.visitor.takeKeptForm(`${head.base}/${PART}`);
  const kept = form && readVerdicts(form).values;
  return data({
    meta: await reportMeta(args, report, t("criteria.title")),
    head,
    kept,
    walks: walks.slice(0, 2),
    state,
    pageNumber,
    pageCount,
    counts,
    questions: all.filter((each) => shown.includes(each) || kept?.[verdictField(each.number)] !== undefined),
  });
}

/** Saves or withdraws all verdicts of the form; none, if one is refused. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId, locale, base } = await ownReport(args);
  const { services, visitor } = args.context;
  const t = textsOf(locale).getFixedT(null, "reviews");
  const { given, problems, values } = readVerdicts(await readForm(args.request));
  const numbers = new Set(criteriaOfStandard(run.standard).map(({ number }) => number));
  if (given.some(({ criterion }) => !numbers.has(criterion))) problems.unshift({ field: "questions", problem: "gone" });
  if (problems.length === 0) {
    const changed = await services.criterionReviews.answer(userId, run, given);
    for (const criterion of changed) problems.push({ field: verdictField(criterion), problem: "changed" });
  }
  if (problems.length > 0) {
    const errors = problems.map(({ field, problem }) => ({ field, message: t(`criteria.problem.${problem as "gone"}`) }));
    return refuseQuestions(args.context, { values, errors });
  }
  await visitor.flash({ text: "verdictsSaved", kind: "done" });
  const position = positionOf(args.request);
  const [only] = given;
  // If the list is filtered by state, this question may be gone.
  const anchor = only && given.length === 1 && position.state === "all" ? criterionId(only.criterion) : "questions";
  return redirect(`${listPath(`${base}/${PART}`, position)}#${anchor}`, 303);
}

/** Reload after a refused form: the reason may be a change by another tab or person. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) => actionStatus === 422 || defaultShouldRevalidate;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunReviewCriteria() {
  const { head, kept, walks, state, pageNumber, pageCount, counts, questions } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("reviews");
  useAnchorFocus();
  const list = `${head.base}/${PART}`;
  const typed = answer ?? keptAnswer(kept);
  const path = listPath(list, { state, pageNumber }, { criterion: questions.map(({ number }) => number).join(",") });
  return (
    <ReportFrame head={head} current="review">
      {answer && (
        <ErrorSummary
          errors={answer.errors.map(({ field, message }) => {
            const question = criterionByField(questions, field);
            return { fieldId: field, message: question ? t("criteria.problem.ofCriterion", { number: question.number, name: question.name, message }) : message };
          })}
          answer={answer}
        />
      )}
      <ReportHeading host={head.host}>{t("criteria.heading")}</ReportHeading>
      {kept && !answer && <KeptNotice />}
      <p className="lead">{t("criteria.assessed", { count: counts.answered, total: counts.all })}</p>
      <p className="prose-line">{t("criteria.lead")}</p>
      <p className="prose-line">{t(`criteria.kept.${head.scope}`)}</p>
      <p>
        <Link to={`${head.base}/review`}>{t("criteria.toElements")}</Link>
      </p>
      <WalkLink base={head.base} pages={walks} />
      <ReviewFilter path={list} state={state} counts={counts} />
      <h2 id="questions" className="listed-questions" tabIndex={-1}>
        {t(`criteria.listed.${state}`)}
      </h2>
      {questions.length === 0 && <p>{t("criteria.noneListed")}</p>}
      {questions.length > 0 && (
        <Form method="post" action={path} noValidate aria-label={t("criteria.form")}>
          <p className="prose-line">{t("criteria.inPart")}</p>
          {questions.map((question, position) => (
            <CriterionQuestion key={question.id} question={question} base={head.base} position={position} isLast={position === questions.length - 1} refused={typed} />
          ))}
          <p className="button-row save-answers">
            <button className="button" type="submit">
              {t("criteria.submit")}
            </button>
          </p>
        </Form>
      )}
      <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={(other) => listPath(list, { state, pageNumber: other })} />
    </ReportFrame>
  );
}
