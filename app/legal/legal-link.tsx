import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { LegalTextKey } from "./legal-pages";

/** Link to a text of the operator: one of our pages or an external address. */
export function LegalLink({ text, href }: { text: LegalTextKey; href: string }) {
  const { t } = useTranslation();
  const label = t(`footer.${text}`);
  return href.startsWith("/") ? <Link to={href}>{label}</Link> : <a href={href}>{label}</a>;
}
