import { pageKey, partsOf } from "~/scan/crawl/addresses/address";
import { groupBy } from "~/scan/site/group-by";
import { plainName } from "~/scan/site/repeated-blocks";
import { pathOf, type SiteFault, type SitePage, type SiteRule } from "~/scan/site/site-rule";
import type { SiteElement } from "~/scan/site/site-facts";

/** A link of a menu, a header or a footer, on one page. */
interface MenuLink {
  page: SitePage;
  element: SiteElement;
  name: string;
  /** Key of the address of its page. */
  key: string;
}

/** Minimum number of pages on which a name leads to the usual page. */
const FEWEST_USUAL = 3;
/** Maximum number of paths in a message. */
const MOST_NAMED = 5;
/** Names of links whose target differs on each page. */
const RELATIVE = /^(next|prev(ious)?|back|forward|more|read more|learn more|details|top|up|older|newer|first|last|start|home|startseite|login|log in|sign in|logout|print|share|weiter|zurück|vor|mehr|mehr erfahren|weiterlesen|nach oben|ältere|neuere|anmelden|abmelden|drucken|teilen|übersicht|overview|all|alle)( |$)/;

/**
 * Links of menus, headers and footers with one name and two target pages, for example because of an old address in an old template. It
 * asks: a part of the site may have a page of its own for the same purpose.
 */
export const sameName: SiteRule = {
  id: "rampe-same-name",
  since: "1.17.0",
  criteria: ["2.4.4"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "moderate",
  judge({ pages }) {
    const known = knownPages(pages);
    const names = [...groupBy(pages.flatMap(menuLinks), ({ page, name }) => JSON.stringify([page.language, plainName(name)])).values()];
    const repeated = names.filter((links) => new Set(links.map(({ page }) => page)).size > 1);
    return { compared: repeated.length, faults: repeated.flatMap((links) => faultOf(links, known) ?? []) };
  },
};

/** Pages by the keys of their addresses, requested and reached. */
function knownPages(pages: SitePage[]): Map<string, SitePage> {
  return new Map(pages.flatMap((page) => [page.url, page.finalUrl].map((url) => [pageKey(url), page] as const)));
}

/** Menu links of a page, without names that lead to several pages. */
function menuLinks(page: SitePage): MenuLink[] {
  const blocks = page.blocks.filter(({ kind }) => kind !== "list");
  const links = blocks.flatMap(({ element, links: all }) => all.map(({ name, address }) => ({ page, element, name, key: pageKey(address) })));
  return [...groupBy(links, ({ name }) => plainName(name)).entries()].flatMap(([name, alike]) => {
    const isOne = new Set(alike.map(({ key }) => key)).size === 1;
    return isOne && name.length > 1 && !RELATIVE.test(name) ? alike.slice(0, 1) : [];
  });
}

function faultOf(links: MenuLink[], known: Map<string, SitePage>): SiteFault | undefined {
  const [usual, other, ...more] = [...groupBy(links, ({ key }) => known.get(key)?.finalUrl ?? key).values()].sort((one, another) => another.length - one.length);
  // A name with many targets has another meaning on each page.
  if (!usual || !other || more.length > 0 || usual.length < FEWEST_USUAL || usual.length <= other.length) return undefined;
  const [first, example] = [other[0], usual[0]];
  const [target, usualTarget] = [first && known.get(first.key), example && known.get(example.key)];
  if (!first || !example || !target || !usualTarget || !isAboutElse(target, usualTarget) || isOfSection(other, target) || isOfSection(usual, usualTarget)) return undefined;
  const from = other.slice(0, MOST_NAMED).map(({ page }) => pathOf(page)).join(", ") + (other.length > MOST_NAMED ? ", …" : "");
  const data = { name: first.name, target: pathOf(target), other: pathOf(usualTarget), pages: usual.length, from };
  return { page: first.page, element: first.element, outcome: { asks: "targets", data } };
}

/** Have the pages different headings? Two addresses of one page have the same one; a page without a heading proves nothing. */
function isAboutElse(one: SitePage, other: SitePage): boolean {
  const [first, second] = [one, other].map(({ heading }) => plainName(heading));
  return first !== "" && second !== "" && first !== second;
}

/** Are the links in the same section of the site as their target, such as a shop? */
function isOfSection(links: MenuLink[], target: SitePage): boolean {
  const section = sectionOf(target);
  return section !== undefined && links.every(({ page }) => sectionOf(page) === section);
}

/** Section of a page; undefined for pages at the top of the site. */
function sectionOf({ finalUrl }: SitePage): string | undefined {
  const { host, segments } = partsOf(finalUrl);
  return segments.length > 1 ? `${host}/${segments[0]}` : undefined;
}
