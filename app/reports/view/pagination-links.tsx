import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface PaginationLinksProps {
  pageNumber: number;
  pageCount: number;
  /** Address of a page of the list. */
  to: (pageNumber: number) => string;
}

/** Pagination: links to the previous and next page of a list. */
export function PaginationLinks({ pageNumber, pageCount, to }: PaginationLinksProps) {
  const { t } = useTranslation("report");
  if (pageCount <= 1) return null;
  return (
    <nav className="pager" aria-label={t("rule.parts")}>
      {pageNumber > 1 && <Link to={to(pageNumber - 1)}>{t("rule.previous")}</Link>} <span>{t("rule.partOf", { part: pageNumber, parts: pageCount })}</span>{" "}
      {pageNumber < pageCount && <Link to={to(pageNumber + 1)}>{t("rule.next")}</Link>}
    </nav>
  );
}
