import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/components/icon";
import type { Reason } from "~/scan/types";

interface OnePageProps {
  page: { url: string; isChecked: boolean; reason: Reason | null };
  /** Where the same is shown of all pages. */
  all: string;
}

/** Says that a part of a report is about one page alone, and when that could not be checked. */
export function OnePage({ page, all }: OnePageProps) {
  const { t } = useTranslation("report");
  const { url, isChecked, reason } = page;
  return (
    <div className="notice">
      <Icon name="alert" />
      <div>
        <p>
          {t("category.onePage")} <span className="address">{url}</span> <Link to={all}>{t("category.allPages")}</Link>
        </p>
        {!isChecked && (
          <p>
            {t("pages.notChecked")}: {t(`reason.${reason ?? "crashed"}`)}. {t("category.pageNotChecked")}
          </p>
        )}
      </div>
    </div>
  );
}
