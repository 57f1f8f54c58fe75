import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface PaginationLinksProps {
  part: number;
  parts: number;
  /** Address of a part of the list. */
  to: (part: number) => string;
}

/** Pagination: links to the previous and next part of a list. */
export function PaginationLinks({ part, parts, to }: PaginationLinksProps) {
  const { t } = useTranslation("report");
  if (parts <= 1) return null;
  return (
    <nav className="pager" aria-label={t("rule.parts")}>
      {part > 1 && <Link to={to(part - 1)}>{t("rule.previous")}</Link>} <span>{t("rule.partOf", { part, parts })}</span>{" "}
      {part < parts && <Link to={to(part + 1)}>{t("rule.next")}</Link>}
    </nav>
  );
}
