import { useTranslation } from "react-i18next";
import { CriterionMark } from "~/reports/view/criteria-table";
import { CriterionRules } from "~/reports/view/criterion-rules";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextArea } from "~/ui/form/text-area";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { confirmField, noteField, verdictField, type CriterionQuestionView } from "./criterion-question-view";
import { GivenVerdict } from "./given-verdict";
import { isAssessed, VERDICTS } from "./verdict";

interface CriterionQuestionProps {
  question: CriterionQuestionView;
  /** Path of the report. */
  base: string;
  /** Position in the form, from 0. */
  position: number;
  /** Whether the form's button follows. */
  isLast: boolean;
  /** Typed values and problems of a refused form. */
  refused?: FormAnswer;
}

/** One success criterion: question, instructions, result of the check, and the fields for a verdict. */
export function CriterionQuestion(props: CriterionQuestionProps) {
  const { t } = useTranslation(["reviews", "report"]);
  const { question, base, position, refused } = props;
  const { id, number, name, level, clause, state, rules, review } = question;
  const isTyped = refused?.values[verdictField(number)] !== undefined;
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
      {question.isEarlier && (
        <div className="field">
          <label className="checkbox" htmlFor={confirmField(number)}>
            <input id={confirmField(number)} name={`confirm-${position}`} value="yes" type="checkbox" defaultChecked={refused?.values[confirmField(number)] === "yes"} />{" "}
            <span>
              {t("criteria.confirm")}
              <span className="visually-hidden"> {t("criteria.about", { number })}</span>
            </span>
          </label>
        </div>
      )}
      {isAssessed(review) ? (
        <details open={isTyped ? true : undefined}>
          <summary>{t("criteria.change")}</summary>
          <VerdictFields {...props} />
        </details>
      ) : (
        <VerdictFields {...props} />
      )}
    </article>
  );
}

function VerdictFields({ question, position, isLast, refused }: CriterionQuestionProps) {
  const { t } = useTranslation("reviews");
  const { number, review, mark } = question;
  const [verdictId, noteId] = [verdictField(number), noteField(number)];
  const about = <span className="visually-hidden"> {t("criteria.about", { number })}</span>;
  return (
    // `key`: a new verdict resets the typed values.
    <div className="form" key={review?.at ?? 0}>
      <input type="hidden" name="criterion" value={number} />
      <input type="hidden" name={`was-${position}`} value={mark} />
      <RadioGroup
        id={verdictId}
        name={`verdict-${position}`}
        legend={
          <>
            {t("criteria.legend")}
            {about}
          </>
        }
        error={errorOf(refused, verdictId)}
        defaultValue={refused?.values[verdictId] ?? review?.verdict ?? ""}
        choices={VERDICTS.map((value) => ({ value, label: t(`criteria.verdict.${value}`) }))}
      />
      <TextArea
        id={noteId}
        name={`note-${position}`}
        label={
          <>
            {t("criteria.note")}
            {about}
          </>
        }
        hint={t("criteria.noteHint")}
        error={errorOf(refused, noteId)}
        defaultValue={refused?.values[noteId] ?? review?.note ?? ""}
        rows={3}
      />
      {!isLast && (
        <button className="button" type="submit">
          {t("criteria.submit")}
        </button>
      )}
    </div>
  );
}
