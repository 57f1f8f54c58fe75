import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { CriterionMark } from "~/reports/view/criteria-table";
import { CriterionRules } from "~/reports/view/criterion-rules";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextArea } from "~/ui/form/text-area";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import type { CriterionQuestionView } from "./criterion-question-view";
import { GivenVerdict } from "./given-verdict";
import { isAssessed, VERDICTS } from "./verdict";

interface CriterionQuestionProps {
  question: CriterionQuestionView;
  /** Of the report. */
  base: string;
  /** Target of the form. */
  path: string;
  /** Problems that the action found in this form. */
  refused?: FormAnswer;
}

/** One success criterion: the question, how to decide, what the check says, and the form for a verdict. */
export function CriterionQuestion(props: CriterionQuestionProps) {
  const { t } = useTranslation(["reviews", "report"]);
  const { question, base, refused } = props;
  const { id, number, name, level, clause, state, rules, review } = question;
  return (
    <article className="violation question" id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{`${number} ${name}`}</h3>
      <ul className="rule-facts">
        <li>{t("criteria.level", { level })}</li>
        {clause && <li>EN 301 549, {clause}</li>}
      </ul>
      <p className="criterion-asked">{question.question}</p>
      <dl className="how-to-decide">
        <dt>{t("guidance.look")}</dt>
        <dd>{question.look}</dd>
        <dt>{t("guidance.decide")}</dt>
        <dd>{question.decide}</dd>
      </dl>
      <p>
        {t("criteria.automatic")} <CriterionMark state={state} />
      </p>
      <CriterionRules base={base} rules={rules} />
      {review && <GivenVerdict question={question} review={review} />}
      {isAssessed(review) ? (
        <details open={refused ? true : undefined}>
          <summary>{t("criteria.change")}</summary>
          <VerdictForm {...props} />
        </details>
      ) : (
        <VerdictForm {...props} />
      )}
    </article>
  );
}

function VerdictForm({ question, path, refused }: CriterionQuestionProps) {
  const { t } = useTranslation("reviews");
  const { id, number, review } = question;
  return (
    // `key`: a new verdict resets the typed values.
    <Form className="form" method="post" action={path} noValidate preventScrollReset key={review?.at ?? 0}>
      <input type="hidden" name="criterion" value={number} />
      <RadioGroup
        id={`${id}-verdict`}
        name="verdict"
        legend={
          <>
            {t("criteria.legend")}
            <span className="visually-hidden"> {t("criteria.about", { number })}</span>
          </>
        }
        error={errorOf(refused, "verdict")}
        defaultValue={refused?.values.verdict ?? review?.verdict ?? ""}
        choices={VERDICTS.map((value) => ({ value, label: t(`criteria.verdict.${value}`) }))}
      />
      <TextArea
        id={`${id}-note`}
        name="note"
        label={t("criteria.note")}
        hint={t("criteria.noteHint")}
        error={errorOf(refused, "note")}
        defaultValue={refused?.values.note ?? review?.note ?? ""}
        rows={3}
      />
      <button className="button" type="submit">
        {t("criteria.submit")}
        <span className="visually-hidden"> {t("criteria.about", { number })}</span>
      </button>
    </Form>
  );
}
