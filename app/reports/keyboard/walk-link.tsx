import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface WalkLinkProps {
  /** Of the report. */
  base: string;
  /** Id of the page. */
  page: number;
}

/** Link to the walk with the Tab key through a page. */
export function WalkLink({ base, page }: WalkLinkProps) {
  const { t } = useTranslation("report");
  return (
    <p>
      <Link to={`${base}/pages/${page}/keyboard`}>{t("keyboard.link")}</Link> ({t("keyboard.linkHint")})
    </p>
  );
}
