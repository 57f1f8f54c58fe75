import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementCode } from "~/reports/check/element-code";
import { FixHints } from "~/reports/check/fix-hints";
import { ElementFacts } from "~/reports/view/rule/element-facts";
import { ElementPicture } from "~/reports/view/rule/element-picture";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextField } from "~/ui/form/text-field";
import { Icon } from "~/ui/icon";
import { LocalizedText } from "~/ui/localized-text";
import { AddressNotes } from "~/findings/view/page-address";
import { LocalTime } from "~/ui/local-time";
import type { LocalText } from "~/findings/check-view";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { ANSWERS, type Review } from "./answer";
import { answerField, reasonField, shownAnswer, type QuestionView } from "./view";

interface QuestionProps extends QuestionView {
  /** Path of the report. */
  base: string;
  ruleId: string;
  /** Name of the rule. */
  rule: LocalText;
  number: number;
  /** Position in the form, from 0. */
  position: number;
  /** Typed values and problems of a refused form. */
  refused?: FormAnswer;
}

/** One question: picture and location of the element, measured values, current answer, and fields for a new one. */
export function Question(props: QuestionProps) {
  const { t } = useTranslation("reviews");
  const { base, ruleId, rule, fingerprint, id, number, sample, elements, pages, locations, review, isAnswered, refused } = props;
  const isTyped = refused?.values[answerField({ ruleId, fingerprint })] !== undefined;
  return (
    <article className="violation question" id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h4 id={`${id}-heading`}>
        {elements === 1
          ? t("question.one", { number })
          : t("question.many", { number, elements, pages: t("question.pages", { count: pages }) })}
      </h4>
      {sample.hasPicture && <ElementPicture base={base} category="incomplete" ruleId={ruleId} location={sample} alt={t("question.pictureOf", { number, rule: rule.text })} />}
      <ElementCode html={sample.html} cut={sample.htmlCut} />
      <ElementFacts location={sample} />
      <FixHints fixes={sample.fixes} />
      <ul className="plain-list">
        {locations.map(({ path, pageUrl, pageReached, openUrl }) => (
          <li key={path}>
            <a href={openUrl} rel="noreferrer nofollow">
              {t("question.open")} <span className="address">{pageUrl}</span>
              <Icon name="external" size={16} />
            </a>{" "}
            <Link to={path}>
              {t("question.details")}
              <span className="visually-hidden">: {pageUrl}</span>
            </Link>
            <AddressNotes reached={pageReached} />
          </li>
        ))}
      </ul>
      {elements > locations.length && <p className="hint">{t("question.more", { count: elements - locations.length })}</p>}
      {review && <Given review={review} isAnswered={isAnswered} />}
      {review && isAnswered ? (
        <details open={isTyped ? true : undefined}>
          <summary>{t("answer.change")}</summary>
          <AnswerFields {...props} />
        </details>
      ) : (
        <AnswerFields {...props} />
      )}
    </article>
  );
}

function Given({ review, isAnswered }: { review: Review; isAnswered: boolean }) {
  const { t } = useTranslation("reviews");
  return (
    <div className="given">
      <p>
        <Icon name={review.answer === "problem" ? "alert" : "check"} />{" "}
        <strong>{t(isAnswered ? "answer.given" : "answer.givenPartly")}</strong> {t(`answer.${review.answer}`)}
      </p>
      {review.reason && (
        <p>
          {t("answer.reason")}: <bdi>{review.reason}</bdi>
        </p>
      )}
      <p className="hint">
        <bdi>{review.by}</bdi>, <LocalTime at={review.at} brief />
      </p>
    </div>
  );
}

function AnswerFields({ ruleId, rule, number, position, fingerprint, review, isAnswered, refused }: QuestionProps) {
  const { t } = useTranslation("reviews");
  const [answerId, reasonId] = [answerField({ ruleId, fingerprint }), reasonField({ ruleId, fingerprint })];
  // An answer for only some of the elements is not shown as the answer: saving another question must not extend it.
  const shown = isAnswered && review ? { answer: review.answer as string, reason: review.reason ?? "" } : { answer: "", reason: "" };
  return (
    // `key`: a new answer resets the typed values.
    <div className="form" key={review?.at ?? 0}>
      <input type="hidden" name="rule" value={ruleId} />
      <input type="hidden" name="group" value={fingerprint} />
      <input type="hidden" name={`was-${position}`} value={shownAnswer(shown.answer, shown.reason)} />
      <RadioGroup
        id={answerId}
        name={`answer-${position}`}
        legend={
          <>
            {t("answer.legend")} <About number={number} rule={rule} />
          </>
        }
        error={errorOf(refused, answerId)}
        defaultValue={refused?.values[answerId] ?? shown.answer}
        choices={ANSWERS.map((value) => ({ value, label: t(`answer.${value}`) }))}
      />
      <TextField
        id={reasonId}
        name={`reason-${position}`}
        label={
          <>
            {t("answer.reasonLabel")} <About number={number} rule={rule} />
          </>
        }
        hint={t("answer.reasonHint")}
        error={errorOf(refused, reasonId)}
        defaultValue={refused?.values[reasonId] ?? shown.reason}
        type="text"
        autoComplete="off"
      />
    </div>
  );
}

/** Hidden text that distinguishes the fields of many questions, for people who do not see their context. */
function About({ number, rule }: Pick<QuestionProps, "number" | "rule">) {
  const { t } = useTranslation("reviews");
  return (
    <span className="visually-hidden">
      {t("answer.about", { number })} <LocalizedText {...rule} />
    </span>
  );
}
