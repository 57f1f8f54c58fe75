import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface AcceptedNoticeProps {
  /** Path of the report. */
  base: string;
  /** Number of accepted elements. */
  count: number;
  /** Whether all findings are accepted: an empty list must not look like a result without violations. */
  isAll?: boolean;
}

/** Number of findings that are not counted because they are accepted, with a link to them. */
export function AcceptedNotice({ base, count, isAll = false }: AcceptedNoticeProps) {
  const { t } = useTranslation("report");
  if (count === 0) return null;
  return (
    <p>
      {t(isAll ? "accepted.noneOpen" : "accepted.notice", { count })} <Link to={`${base}/accepted`}>{t("accepted.show")}</Link>
    </p>
  );
}
