import { useTranslation } from "react-i18next";
import type { ViolationView } from "~/findings/check-view";
import { ProposedFix } from "~/reports/view/rule/fix";

/** Task in plain words, and its effect; for colours, the colours themselves. */
export function RemedyInWords({ remedy, colors }: Pick<ViolationView, "remedy" | "colors">) {
  const { t } = useTranslation("check");
  return (
    <>
      <p className="prose-line">{remedy.todo}</p>
      {colors ? (
        <ProposedFix fix={colors} />
      ) : (
        <dl className="before-after">
          <div className="before">
            <dt>{t("violations.before")}</dt>
            <dd>{remedy.before}</dd>
          </div>
          <div className="after">
            <dt>{t("violations.after")}</dt>
            <dd>{remedy.after}</dd>
          </div>
        </dl>
      )}
    </>
  );
}
