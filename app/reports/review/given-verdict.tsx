import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import type { CriterionQuestionView } from "./criterion-question-view";
import type { CriterionReview } from "./verdict";

interface GivenVerdictProps {
  question: Pick<CriterionQuestionView, "state" | "isEarlier">;
  review: CriterionReview;
}

/** Current verdict, with person, time, and contradicting results. */
export function GivenVerdict({ question, review }: GivenVerdictProps) {
  const { t } = useTranslation("reviews");
  const { verdict, note, by, at } = review;
  const isContradicted = question.state === "failed" && (verdict === "fulfilled" || verdict === "not_applicable");
  return (
    <div className="given">
      <p>
        <Icon name={verdict === "open" || verdict === "not_fulfilled" ? "alert" : "check"} />{" "}
        {verdict === "open" ? (
          <strong>{t("criteria.noteAlone")}</strong>
        ) : (
          <>
            <strong>{t("criteria.given")}</strong> {t(`criteria.verdict.${verdict}`)}
          </>
        )}
      </p>
      {note && (
        <p className="typed-note">
          {t("criteria.noteGiven")} <bdi>{note}</bdi>
        </p>
      )}
      <p className="hint">
        <bdi>{by}</bdi>, <LocalTime at={at} brief />
      </p>
      {isContradicted && <p>{t("criteria.contradicted")}</p>}
      {question.isEarlier && <p>{t("criteria.earlier")}</p>}
    </div>
  );
}
