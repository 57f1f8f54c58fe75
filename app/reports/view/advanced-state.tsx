import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { AdvancedAnalyses } from "~/findings/check-view";
import { LocalizedText } from "~/ui/localized-text";

/** Whether the advanced analyses ran; if not, their names without counts. */
export function AdvancedState({ ran, rules }: AdvancedAnalyses) {
  const { t } = useTranslation("common");
  if (ran) return t("advanced.ran");
  return (
    <>
      {t("advanced.notRun")}
      <ul>
        {rules.map(({ id, help }) => (
          <li key={id}>
            <Link to={`/rules/${id}`}>
              <LocalizedText {...help} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
