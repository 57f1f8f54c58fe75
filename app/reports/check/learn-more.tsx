import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** Link to the page about a rule: ours, or an English one elsewhere for a rule that is no longer installed. @param rule its name */
export function LearnMore({ helpUrl, rule }: { helpUrl: string; rule: string }) {
  const { t } = useTranslation("check");
  if (helpUrl.startsWith("/")) {
    return (
      <Link to={helpUrl} aria-label={t("violations.learnMoreAbout", { rule })}>
        {t("violations.learnMore")}
      </Link>
    );
  }
  return (
    <a href={helpUrl} hrefLang="en" aria-label={t("violations.learnMoreElsewhere", { rule })}>
      {t("violations.learnMore")}
      <Icon name="external" size={16} />
    </a>
  );
}
