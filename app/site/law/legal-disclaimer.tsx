import { useTranslation } from "react-i18next";
import { LAW_AS_OF } from "./law-pages";
import { CalendarDate } from "./calendar-date";

/** Date of the last check of the texts, and that they are no legal advice. */
export function LegalDisclaimer() {
  const { t } = useTranslation("law");
  return (
    <p className="as-of">
      {t("asOf")} <CalendarDate on={LAW_AS_OF} />. {t("noAdvice")}
    </p>
  );
}
