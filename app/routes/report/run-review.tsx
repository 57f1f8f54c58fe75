import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { ErrorSummary } from "~/ui/form/error-summary";
import { keptAnswer } from "~/platform/forms/form-answer";
import { KeptNotice } from "~/ui/form/kept-notice";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { RuleItem } from "~/reports/view/rule-item";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { QuestionList } from "~/reports/review/question-list";
import { WalkLink } from "~/reports/keyboard/walk-link";
import { ReviewFilter } from "~/reports/review/filter";
import { refuseQuestions } from "~/platform/forms/form-answer.server";
import { useAnchorFocus } from "~/reports/review/use-anchor-focus";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageCountOf } from "~/platform/http/pagination.server";
import { pageMeta } from "~/platform/http/page-meta";
import { rulePath } from "~/reports/report-view";
import { readForm } from "~/platform/forms/read-form";
import { ownReport } from "~/reports/own-report.server";
import { reportMeta } from "~/reports/page.server";
import { listPath } from "~/reports/review/list-path";
import { positionOf, shownSince } from "~/reports/review/list-position.server";
import { readAnswers } from "~/reports/review/form.server";
import { assessedOf } from "~/reports/review/assessed";
import { questionId, questionsByField } from "~/reports/review/view";
import { questionsByRule } from "~/reports/review/views.server";
import { isLocked, ruleRow } from "~/reports/rule-rows.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["reviews", "report", "check"] };
export const clientLoader = preloadNamespaces(["reviews", "report", "check"]);

const PER_PAGE = 20;

export async function loader(args: LoaderFunctionArgs) {
  const report = await ownReport(args);
  const { run, head, userId, rules, locale, withheld } = report;
  const { state, pageNumber } = positionOf(args.request);
  const since = shownSince(args.request);
  const t = textsOf(locale).getFixedT(null, "reviews");
  const walks = await args.context.services.keyboardWalks.pagesWithWalk(run.id);
  const verdicts = await args.context.services.criterionReviews.ofRun(userId, run);
  const { groups, listed, counts, notListed } = await args.context.services.reviews.groups(userId, run, {
    state,
    offset: (pageNumber - 1) * PER_PAGE,
    limit: PER_PAGE,
    withheld,
    since,
  });
  const pageCount = pageCountOf(args.request, listed, PER_PAGE);
  // Read after the redirect to the last page: reading deletes the kept form.
  const kept = await args.context.visitor.takeKeptForm(`${report.base}/review`);
  return data({
    meta: await reportMeta(args, report, t("title")),
    head,
    walks: walks.slice(0, 2),
    kept: kept && readAnswers(kept).values,
    state,
    since: since ?? Date.now(),
    pageNumber,
    pageCount,
    counts,
    criteria: assessedOf(run.standard, verdicts),
    notListed,
    rules: questionsByRule(run.id, groups, rules, locale),
    locked: rules.filter((rule) => rule.category === "incomplete" && isLocked(rule, withheld)).map((rule) => ruleRow(rule, locale, withheld)),
  });
}

/** Saves all answers of the form; none, if one is refused. */
export async function action(args: ActionFunctionArgs) {
  const { run, userId, locale, base, withheld } = await ownReport(args);
  const { services, visitor } = args.context;
  const t = textsOf(locale).getFixedT(null, "reviews");
  const { given, problems, values } = readAnswers(await readForm(args.request));
  if (problems.length === 0) {
    const isSaved = !given.some(({ ruleId }) => withheld.has(ruleId)) && (await services.reviews.answer(userId, run, given)) > 0;
    if (!isSaved) problems.push({ field: "questions", problem: "gone" });
  }
  if (problems.length > 0) {
    const errors = problems.map(({ field, problem }) => ({ field, message: t(`problem.${problem as "gone"}`) }));
    return refuseQuestions(args.context, { values, errors });
  }
  await visitor.flash({ text: "answersSaved", kind: "done" });
  const position = positionOf(args.request);
  const [only] = given;
  // If the list shows only open questions, this question is gone.
  const anchor = only && given.length === 1 && position.state === "all" ? encodeURIComponent(questionId(only.ruleId, only.fingerprint)) : "questions";
  return redirect(`${listPath(`${base}/review`, position)}#${anchor}`, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

function leadOf({ all, open }: { all: number; open: number }, notListed: number, t: TFunction<["reviews"]>): string {
  if (all === 0) return notListed > 0 ? t("onlyNotListed", { count: notListed }) : t("none");
  return open === 0 ? t("allAnswered", { count: all }) : t("lead", { open, count: all });
}

export default function RunReview() {
  const { head, walks, kept, state, since, pageNumber, pageCount, counts, criteria, notListed, rules, locked } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("reviews");
  useAnchorFocus();
  const list = `${head.base}/review`;
  // A refused form is shown again with all its questions, also those that were answered elsewhere meanwhile.
  const pagePath = (wanted: number) => listPath(list, { state, pageNumber: wanted }, state === "open" ? { since: String(since) } : {});
  const path = pagePath(pageNumber);
  const typed = answer ?? keptAnswer(kept);
  const asked = questionsByField(rules);
  return (
    <ReportFrame head={head} current="review">
      {answer && (
        <ErrorSummary
          errors={answer.errors.map(({ field, message }) => {
            const question = asked.get(field);
            return { fieldId: field, message: question ? t("problem.ofQuestion", { ...question, message }) : message };
          })}
          answer={answer}
        />
      )}
      <ReportHeading host={head.host}>{t("heading")}</ReportHeading>
      {kept && !answer && <KeptNotice />}
      <p className="lead">{leadOf(counts, notListed, t)}</p>
      <p>
        <Link to={`${list}/criteria`}>{t("criteria.heading")}</Link> ({t("criteria.assessed", criteria)})
      </p>
      <WalkLink base={head.base} pages={walks} />
      {counts.all > 0 && (
        <>
          <p className="prose-line">{t("kept")}</p>
          <ReviewFilter path={list} state={state} counts={counts} />
          <h2 id="questions" className="listed-questions" tabIndex={-1}>
            {t(`listed.${state}`)}
          </h2>
          {rules.length === 0 && <p>{t("noneListed")}</p>}
          {rules.length > 0 && (
            <Form method="post" action={path} noValidate aria-label={t("answer.form")}>
              <p className="prose-line">{t("answer.inPart")}</p>
              <QuestionList base={head.base} rules={rules} answer={typed} />
            </Form>
          )}
          {notListed > 0 && <p className="hint">{t("notListed", { count: notListed })}</p>}
          <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={pagePath} />
        </>
      )}
      {locked.length > 0 && (
        <section aria-labelledby="in-pro">
          <h2 id="in-pro">{t("inPro.heading")}</h2>
          <p className="prose-line">{t("inPro.text")}</p>
          <ul className="rule-list">
            {locked.map((rule) => (
              <li key={rule.ruleId}>
                <RuleItem rule={rule} to={rulePath(head.base, rule)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </ReportFrame>
  );
}
