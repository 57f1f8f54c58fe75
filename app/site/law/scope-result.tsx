import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { PARAGRAPH_OF, paragraphAddress, type ScopeOutcome } from "./scope-check";

/** Result of the self-check, its reasons, and the next steps. */
export function ScopeResult({ verdict, reasons }: ScopeOutcome) {
  const { t } = useTranslation("law");
  return (
    <div className={`scope-result scope-${verdict}`}>
      <h2>{t("check.reasons")}</h2>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            {t(`check.reason.${reason}`)}{" "}
            <a href={paragraphAddress(PARAGRAPH_OF[reason])} hrefLang="de">
              {t("check.paragraph", { number: PARAGRAPH_OF[reason] })}
              <Icon name="external" size={16} />
            </a>
          </li>
        ))}
      </ul>
      <h2>{t("check.next")}</h2>
      <ul>
        {t(`check.verdict.${verdict}.next`, { returnObjects: true }).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      <p>
        <Link className="button" to="/">
          {t("check.scan")}
        </Link>
      </p>
      <p>{t("check.noAdvice")}</p>
    </div>
  );
}
