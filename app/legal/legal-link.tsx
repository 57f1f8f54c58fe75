import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { LegalTextKey } from "./legal-pages";

/** Leads to a text of the operator's, a page of ours or one elsewhere. */
export function LegalLink({ text, href }: { text: LegalTextKey; href: string }) {
  const { t } = useTranslation();
  const label = t(`footer.${text}`);
  return href.startsWith("/") ? <Link to={href}>{label}</Link> : <a href={href}>{label}</a>;
}
