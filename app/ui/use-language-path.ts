import { useLocation } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { isSamePage, pathIn } from "~/platform/i18n/search-pages";

/**
 * Returns the path of a page in the language of the current page: if the browser requests none of our languages, only the
 * path sets the language. A link to the current page keeps the current path.
 */
export function useLanguagePath(): (path: string) => string {
  const { i18n } = useTranslation();
  const { pathname } = useLocation();
  return (path) => (isSamePage(pathname, path) ? pathname : pathIn(i18n.language, path));
}
