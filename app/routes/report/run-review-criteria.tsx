import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
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
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { paginationOf } from "~/platform/http/pagination.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm } from "~/platform/forms/read-form";
import { criteriaOfStandard } from "~/findings/success-criteria";
import { criterionRows } from "~/reports/criterion-rows.server";
import { ownReport } from "~/reports/own-report.server";
import { reportMeta } from "~/reports/page.server";
import { verdictSchema } from "~/reports/review/criterion-form.server";
import { criterionId } from "~/reports/review/criterion-question-view";
import { countsOf, criterionQuestions, questionsIn } from "~/reports/review/criterion-questions.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["reviews", "report", "check"] };
export const clientLoader = preloadNamespaces(["reviews", "report", "check"]);

const PER_PART = 20;
const PART = "review/criteria";

export async function loader(args: LoaderFunctionArgs) {
  const report = await ownReport(args);
  const { run, head, userId, allRules: rules, locale, withheld } = report;
  const { state, part } = positionOf(args.request);
  const t = textsOf(locale).getFixedT(null, "reviews");
  const walks = await args.context.services.keyboardWalks.pagesWithWalk(run.id);
  const reviews = await args.context.services.criterionReviews.ofRun(userId, run);
  const at = run.finishedAt ?? run.createdAt;
  const all = criterionQuestions(criterionRows(run.standard, rules, locale, withheld), reviews, { at, locale });
  const shown = questionsIn(state, all).slice((part - 1) * PER_PART, part * PER_PART);
  const counts = countsOf(all);
  const parts = paginationOf(args.request, counts[state], PER_PART);
  // Taken after the redirect to a part that is there.
  const kept = await args.context.visitor.takeKept(`${head.base}/${PART}`);
  // The question of a refused or kept form may be in another list by now: what was typed must not be lost.
  const asked = kept?.criterion ?? new URL(args.request.url).searchParams.get("criterion");
  const refused = all.find(({ number }) => number === asked);
  return data({
    meta: await reportMeta(args, report, t("criteria.title")),
    head,
    kept,
    walks: walks.slice(0, 2),
    state,
    part,
    parts,
    counts,
    questions: all.filter((each) => each === refused || shown.includes(each)),
  });
}

/** Keeps a verdict, or takes it back. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId, locale, base } = await ownReport(args);
  const t = textsOf(locale).getFixedT(null, "reviews");
  const form = await readForm(args.request);
  const sent = await parseSentForm(args.request, args.context, form, verdictSchema, (problem) => t(`criteria.problem.${problem as "gone"}`));
  if (!sent.value) return sent.refuse();
  const { criterion, verdict, note } = sent.value;
  if (!criteriaOfStandard(run.standard).some(({ number }) => number === criterion)) return sent.refuse({ criterion: "gone" });
  await args.context.services.criterionReviews.answer(userId, run, { criterion, verdict, note: note || null });
  const position = positionOf(args.request);
  // If the list shows only one state, this question may be gone.
  const anchor = position.state === "all" ? criterionId(criterion) : "questions";
  return redirect(`${listPath(`${base}/${PART}`, position)}#${anchor}`, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunReviewCriteria() {
  const { head, kept, walks, state, part, parts, counts, questions } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("reviews");
  useAnchorFocus();
  const list = `${head.base}/${PART}`;
  const typed = answer ?? keptAnswer(kept);
  const asked = typed?.values.criterion ?? "";
  return (
    <ReportFrame head={head} current="review">
      {answer && (
        <ErrorSummary
          errors={answer.errors.map(({ field, message }) => ({ fieldId: field === "criterion" ? undefined : `${criterionId(asked)}-${field}`, message }))}
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
      {questions.map((question) => (
        <CriterionQuestion
          key={question.id}
          question={question}
          base={head.base}
          path={listPath(list, { state, part }, { criterion: question.number })}
          refused={typed && asked === question.number ? typed : undefined}
        />
      ))}
      <PaginationLinks part={part} parts={parts} to={(other) => listPath(list, { state, part: other })} />
    </ReportFrame>
  );
}
