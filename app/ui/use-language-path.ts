import { useLocation } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { isSamePage, pathIn } from "~/platform/i18n/search-pages";

/**
 * Gives the path of a page in the language of the page around it: a visitor whose browser asks for neither of our languages
 * is told by the path alone which one they read. A link to the page itself leads to the path that they have come by.
 */
export function useLanguagePath(): (path: string) => string {
  const { i18n } = useTranslation();
  const { pathname } = useLocation();
  return (path) => (isSamePage(pathname, path) ? pathname : pathIn(i18n.language, path));
}
