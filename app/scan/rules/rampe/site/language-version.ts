import { visitAddress } from "~/scan/crawl/addresses/address";
import { pathOf, type SiteFault, type SitePage, type SiteRule } from "~/scan/site/site-rule";

/**
 * Links declare a language of their target (`hreflang`), and the page declares another one. It asks: the link may be wrong, or the page's
 * `lang`. If the text shows that `lang` is wrong, `rampe-page-language` fails.
 */
export const languageVersion: SiteRule = {
  id: "rampe-language-version",
  since: "1.10.0",
  criteria: ["3.1.1"],
  level: "wcag2a",
  category: "language",
  impact: "moderate",
  judge({ pages }) {
    const targets = new Map<string, SitePage>();
    for (const page of pages) for (const url of [page.url, page.finalUrl]) targets.set(visitAddress(url), page);
    const judged = new Map<SitePage, SiteFault | undefined>();
    for (const page of pages) {
      for (const { language, address, element } of page.versions) {
        const target = targets.get(visitAddress(address));
        // Pages without `lang` fail axe-core's html-has-lang.
        if (!target || target.language === "" || judged.get(target)) continue;
        const data = { language, target: pathOf(target), declared: target.language };
        judged.set(target, isSame(language, target.language) ? undefined : { page, element, outcome: { asks: "other", data } });
      }
    }
    return { compared: judged.size, faults: [...judged.values()].flatMap((fault) => fault ?? []) };
  },
};

/** `deu` is `de`, and Norwegian has several tags. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((tag) => canonical(tag));
  return first === second;
}

function canonical(tag: string): string {
  try {
    const [language = tag] = Intl.getCanonicalLocales(tag);
    return /^(nb|nn)$/.test(language) ? "no" : language;
  } catch {
    return tag;
  }
}
