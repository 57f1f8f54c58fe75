import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface WalkLinkProps {
  /** Path of the report. */
  base: string;
  /** Ids of pages with a walk: all, or the first two. */
  pages: number[];
}

/** Link to the keyboard walk; with several pages, to the list of pages, which links to each. */
export function WalkLink({ base, pages }: WalkLinkProps) {
  const { t } = useTranslation("report");
  const [page] = pages;
  if (page === undefined) return null;
  const one = pages.length === 1;
  return (
    <p>
      <Link to={one ? `${base}/pages/${page}/keyboard` : `${base}/pages`}>{t("keyboard.link")}</Link> ({t(one ? "keyboard.linkHint" : "keyboard.linkHintMany")})
    </p>
  );
}
