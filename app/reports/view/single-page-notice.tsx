import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { PageAddress } from "~/findings/view/page-address";
import type { FailureReason } from "~/findings/failure-reason";
import type { Reached } from "~/findings/page-address";

interface SinglePageNoticeProps {
  page: { url: string; reached: Reached | null; isChecked: boolean; reason: FailureReason };
  /** Address of the same view for all pages. */
  all: string;
}

/** Notice that a part of a report is about one page only, and the reason if that page could not be checked. */
export function SinglePageNotice({ page, all }: SinglePageNoticeProps) {
  const { t } = useTranslation("report");
  const { url, reached, isChecked, reason } = page;
  return (
    <div className="notice">
      <Icon name="alert" />
      <div>
        <p>
          {t("category.onePage")} <PageAddress url={url} reached={reached} /> <Link to={all}>{t("category.allPages")}</Link>
        </p>
        {!isChecked && (
          <p>
            {t("pages.notChecked")}: {t(`reason.${reason.kind}`, { httpStatus: reason.httpStatus })}. {t("category.pageNotChecked")}
          </p>
        )}
      </div>
    </div>
  );
}
