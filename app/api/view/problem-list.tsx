import { useTranslation } from "react-i18next";
import { PROBLEM_KINDS, PROBLEMS, problemType } from "~/api/problem-kinds";

/** All problems of the API; the `type` of a problem links to its entry. */
export function ProblemList() {
  const { t } = useTranslation("tokens");
  return (
    <dl className="facts-list facts-list-wide">
      {PROBLEM_KINDS.map((kind) => (
        <div key={kind} id={kind}>
          <dt>
            <code dir="ltr" translate="no">
              {problemType(kind)}
            </code>
          </dt>
          <dd>
            {t(`problem.${kind}.title`)} ({t("docs.status", { status: PROBLEMS[kind] })})
          </dd>
        </div>
      ))}
    </dl>
  );
}
