import type { Locale } from "~/platform/i18n/i18n";
import { searchEntryOf } from "~/platform/i18n/search-pages";

/** Attributes of elements for the head of a page. */
export interface SearchTags {
  links: { rel: string; href: string; hrefLang?: string; title?: string }[];
  /** Open Graph (https://ogp.me); title and description come from the page itself. */
  meta: { property: string; content: string }[];
}

/** Open Graph name of a language: with its main region, such as `de_DE`. */
function openGraphLocale(locale: Locale): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  return `${language}_${region}`;
}

/**
 * Tags of a page, besides its title, for search engines and link previews.
 * @param imageAlt text alternative of the language's picture
 * @returns null for a page that search engines should not list
 */
export function searchTags(baseUrl: string, pathname: string, { locale, imageAlt }: { locale: Locale; imageAlt: string }): SearchTags | null {
  const entry = searchEntryOf(baseUrl, pathname, locale);
  if (!entry) return null;
  return {
    links: [
      { rel: "canonical", href: entry.canonical },
      // Text browsers show them as links with this title.
      ...entry.alternates.map((alternate) => ({ rel: "alternate", ...alternate, title: alternate.hrefLang })),
    ],
    meta: [
      { property: "og:type", content: "website" },
      { property: "og:site_name", content: "Rampe" },
      { property: "og:url", content: entry.canonical },
      { property: "og:locale", content: openGraphLocale(locale) },
      { property: "og:image", content: `${baseUrl}/og-${locale}.png` },
      { property: "og:image:width", content: "1200" },
      { property: "og:image:height", content: "630" },
      { property: "og:image:alt", content: imageAlt },
    ],
  };
}
