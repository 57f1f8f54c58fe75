import { useTranslation } from "react-i18next";
import { ImpactBadge } from "~/ui/impact-badge";
import { LocalizedText } from "~/ui/localized-text";
import { LearnMore } from "~/reports/check/learn-more";
import type { FormAnswer } from "~/platform/forms/form-answer";
import type { Guidance } from "~/findings/rules/rule";
import type { QuestionsOfRule } from "./view";
import { Question } from "./question";

interface QuestionListProps {
  /** Path of the report. */
  base: string;
  rules: QuestionsOfRule[];
  /** Typed values and problems of a refused form. */
  answer?: FormAnswer;
}

/** Questions by rule, each with instructions: the content of one form. */
export function QuestionList({ base, rules, answer }: QuestionListProps) {
  const { t } = useTranslation("reviews");
  const firsts = rules.map((_, at) => rules.slice(0, at).reduce((sum, { questions }) => sum + questions.length, 0));
  return rules.map(({ ruleId, title, impact, criteria, helpUrl, guidance, questions }, at) => (
    <section key={ruleId} className="questions" aria-labelledby={`rule-${ruleId}`}>
      <h3 id={`rule-${ruleId}`}>
        <LocalizedText {...title} />
      </h3>
      <ul className="rule-facts">
        <li>
          <ImpactBadge impact={impact} />
        </li>
        {criteria.map((criterion) => (
          <li key={criterion}>WCAG {criterion}</li>
        ))}
        <li>
          <LearnMore helpUrl={helpUrl} rule={title.text} />
        </li>
      </ul>
      <HowToDecide guidance={guidance} />
      {questions.map((question, index) => (
        <Question
          key={question.id}
          {...question}
          base={base}
          ruleId={ruleId}
          rule={title}
          number={index + 1}
          position={(firsts[at] ?? 0) + index}
          refused={answer}
        />
      ))}
      <p className="button-row save-answers">
        <button className="button" type="submit">
          {t("answer.submit")}
        </button>
      </p>
    </section>
  ));
}

function HowToDecide({ guidance }: { guidance: Guidance }) {
  const { t } = useTranslation("reviews");
  const texts =
    guidance.by === "rule"
      ? t(`guidance.rule.${guidance.name}`, { returnObjects: true })
      : t(`guidance.category.${guidance.name}`, { returnObjects: true });
  return (
    <dl className="how-to-decide">
      <dt>{t("guidance.look")}</dt>
      <dd>{texts.look}</dd>
      <dt>{t("guidance.decide")}</dt>
      <dd>{texts.decide}</dd>
    </dl>
  );
}
