import { isLocale, LOCALES, type Locale } from "./i18n";
import { PUBLIC_PAGES } from "./public-pages";

/** Paths of a page by language; languages without an own path use the English one. */
type Paths = Partial<Record<Locale, string>> & { en: string };

/** Pages with different paths by language. */
export const LANGUAGE_PATHS = [
  { de: "/kontakt", en: "/contact" },
  { de: "/impressum", en: "/imprint" },
  { de: "/datenschutz", en: "/privacy" },
  { de: "/barrierefreiheit", en: "/accessibility" },
  { de: "/agb", en: "/terms" },
  { de: "/widerruf", en: "/withdrawal" },
  { de: "/bfsg/selbsttest", en: "/bfsg/check" },
] satisfies Paths[];

/** Default language of search results for users of other languages (`x-default`). */
const PATH_FOR_OTHERS = "en";
/** Paths of public pages below other public pages. */
const PUBLIC_PARTS = ["/sample/", "/rules/"];

const pathOf = (pathname: string) => pathname.toLowerCase().replace(/(?<=.)\/$/, "");
const ALL_PATHS: readonly Paths[] = LANGUAGE_PATHS;
const pairOf = (path: string) => ALL_PATHS.find((paths) => LOCALES.some((locale) => paths[locale] === path));

/** Language of a path; null if all languages share it. */
export function localeOfPath(pathname: string): Locale | null {
  const path = pathOf(pathname);
  return LOCALES.find((locale) => ALL_PATHS.some((paths) => paths[locale] === path)) ?? null;
}

/** Path of a page in a language; unchanged if all languages share it. */
export function pathIn(language: string, path: string): string {
  const pair = pairOf(path);
  return pair && isLocale(language) ? (pair[language] ?? pair[PATH_FOR_OTHERS]) : path;
}

/** True if two paths belong to one page, in any languages. */
export function isSamePage(pathname: string, path: string): boolean {
  const pair = pairOf(path);
  return pathOf(pathname) === path || (pair !== undefined && pairOf(pathOf(pathname)) === pair);
}

/** Data of a page for search engines, with absolute addresses. */
export interface SearchEntry {
  /** Canonical address of the page in its language. */
  canonical: string;
  /** The same page in each language; empty if one path serves all of them. */
  alternates: { hrefLang: string; href: string }[];
}

/**
 * Data of a page for search engines; null for pages outside of search engines.
 * @param locale language of the shown page
 */
export function searchEntryOf(baseUrl: string, pathname: string, locale: Locale): SearchEntry | null {
  const path = pathOf(pathname);
  const pair = pairOf(path);
  if (pair) return { canonical: `${baseUrl}${pair[locale] ?? pair[PATH_FOR_OTHERS]}`, alternates: alternatesOf(baseUrl, pair) };
  const isPublic = PUBLIC_PAGES.some((page) => page === path) || PUBLIC_PARTS.some((start) => path.startsWith(start));
  return isPublic ? { canonical: `${baseUrl}${path}`, alternates: [] } : null;
}

/** All pages for search engines, each path once. @param more paths that are not in `PUBLIC_PAGES` */
export function searchEntries(baseUrl: string, more: string[] = []): SearchEntry[] {
  return [...PUBLIC_PAGES, ...more].flatMap((path) => {
    const pair = pairOf(path);
    const entry = (locale: Locale) => searchEntryOf(baseUrl, path, locale);
    return (pair ? LOCALES.filter((locale) => pair[locale]).map(entry) : [entry(PATH_FOR_OTHERS)]).filter((each) => each !== null);
  });
}

function alternatesOf(baseUrl: string, pair: Paths): SearchEntry["alternates"] {
  const own = LOCALES.flatMap((locale) => (pair[locale] ? [{ hrefLang: locale, path: pair[locale] }] : []));
  const all = [...own, { hrefLang: "x-default", path: pair[PATH_FOR_OTHERS] }];
  return all.map(({ hrefLang, path }) => ({ hrefLang, href: `${baseUrl}${path}` }));
}
