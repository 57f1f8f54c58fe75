import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ImpactOnPeople } from "~/findings/rules/barriers";

/** Effect of a problem, and affected people. */
export function AffectedPeople({ barrier, people }: ImpactOnPeople) {
  const { t } = useTranslation("fixes");
  const labelId = useId();
  return (
    <div className="who">
      <p className="prose-line">{t(`why.${barrier}`)}</p>
      <p className="who-label" id={labelId}>
        {t("who.label")}
      </p>
      <ul aria-labelledby={labelId}>
        {people.map((group) => (
          <li key={group}>{t(`people.${group}`)}</li>
        ))}
      </ul>
    </div>
  );
}
