import { pageKey, partsOf } from "~/scan/crawl/addresses/address";
import { groupBy } from "~/scan/site/group-by";
import { plainName } from "~/scan/site/repeated-blocks";
import { pathOf, type SiteFault, type SitePage, type SiteRule } from "~/scan/site/site-rule";
import type { SiteElement } from "~/scan/site/site-facts";

/** A link of a menu, a header or a footer, or of the content, on one page. */
interface NamedLink {
  page: SitePage;
  element: SiteElement;
  name: string;
  /** Key of the address of its page. */
  key: string;
}

/** Minimum number of pages on which a name leads to the usual page. */
const FEWEST_USUAL = 3;
/** Minimum number of pages with one link in their content: a template, or a habit of the authors. */
const FEWEST_IN_CONTENT = 2;
/** Maximum number of paths in a message. */
const MOST_NAMED = 5;
/** Names of links whose target differs on each page. */
const RELATIVE = /^(next|prev(ious)?|back|forward|more|read more|learn more|details|top|up|older|newer|first|last|start|home|startseite|login|log in|sign in|logout|print|share|weiter|zurück|vor|mehr|mehr erfahren|weiterlesen|nach oben|ältere|neuere|anmelden|abmelden|drucken|teilen|übersicht|overview|all|alle)( |$)/;

/**
 * Links of menus, headers and footers with one name and two target pages, for example because of an old address in an old template. It
 * asks: a part of the site may have a page of its own for the same purpose. Links in the content are compared with those of the menus
 * alone: among each other, one name for many pages is usual, such as that of a product.
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
    const inContent = groupByName(pages.flatMap(contentLinks));
    const repeated = [...groupByName(pages.flatMap(menuLinks))].filter(([, links]) => new Set(links.map(({ page }) => page)).size > 1);
    return { compared: repeated.length, faults: repeated.flatMap(([name, links]) => faultOf(links, known) ?? contentFaultOf(links, inContent.get(name) ?? [], known) ?? []) };
  },
};

/** Pages by the keys of their addresses, requested and reached. */
function knownPages(pages: SitePage[]): Map<string, SitePage> {
  return new Map(pages.flatMap((page) => [page.url, page.finalUrl].map((url) => [pageKey(url), page] as const)));
}

/** Links by language and name. */
function groupByName(links: NamedLink[]): Map<string, NamedLink[]> {
  return groupBy(links, ({ page, name }) => JSON.stringify([page.language, plainName(name)]));
}

/** Links by target page, the most frequent target first. */
function groupByTarget(links: NamedLink[], known: Map<string, SitePage>): NamedLink[][] {
  return [...groupBy(links, ({ key }) => known.get(key)?.finalUrl ?? key).values()].sort((one, other) => other.length - one.length);
}

function menuLinks(page: SitePage): NamedLink[] {
  const blocks = page.blocks.filter(({ kind }) => kind !== "list");
  return withOneTarget(blocks.flatMap(({ element, links }) => links.map(({ name, address }) => ({ page, element, name, key: pageKey(address) }))));
}

function contentLinks(page: SitePage): NamedLink[] {
  return withOneTarget(page.links.map(({ element, name, address }) => ({ page, element, name, key: pageKey(address) })));
}

/** Links of a page, one for each name, without names that lead to several pages. */
function withOneTarget(links: NamedLink[]): NamedLink[] {
  return [...groupBy(links, ({ name }) => plainName(name)).entries()].flatMap(([name, alike]) => {
    const isOne = new Set(alike.map(({ key }) => key)).size === 1;
    return isOne && name.length > 1 && !RELATIVE.test(name) ? alike.slice(0, 1) : [];
  });
}

function faultOf(links: NamedLink[], known: Map<string, SitePage>): SiteFault | undefined {
  const [usual, other, ...more] = groupByTarget(links, known);
  // A name with many targets has another meaning on each page.
  if (!usual || !other || more.length > 0 || usual.length < FEWEST_USUAL || usual.length <= other.length) return undefined;
  return differenceOf("targets", other, usual, known);
}

/** Question about a name that leads to one page from all menus, and to another one from the content of several pages. */
function contentFaultOf(menus: NamedLink[], content: NamedLink[], known: Map<string, SitePage>): SiteFault | undefined {
  const [usual, ...others] = groupByTarget(menus, known);
  if (!usual || others.length > 0 || usual.length < FEWEST_USUAL) return undefined;
  const targetOf = ({ key }: NamedLink) => known.get(key)?.finalUrl ?? key;
  const [other, ...more] = groupByTarget(content.filter((link) => usual[0] && targetOf(link) !== targetOf(usual[0])), known);
  const [first] = other ?? [];
  if (!other || !first || more.length > 0 || other.length < FEWEST_IN_CONTENT) return undefined;
  // A page with the name in its heading is what the link promises, such as the list of all posts with a tag.
  const words = plainName(known.get(first.key)?.heading ?? "").split(" ");
  const isPromised = plainName(first.name).split(" ").every((word) => words.includes(word));
  return isPromised ? undefined : differenceOf("content", other, usual, known);
}

function differenceOf(key: string, other: NamedLink[], usual: NamedLink[], known: Map<string, SitePage>): SiteFault | undefined {
  const [first, example] = [other[0], usual[0]];
  const [target, usualTarget] = [first && known.get(first.key), example && known.get(example.key)];
  if (!first || !example || !target || !usualTarget || !isAboutElse(target, usualTarget) || isOfSection(other, target) || isOfSection(usual, usualTarget)) return undefined;
  const from = other.slice(0, MOST_NAMED).map(({ page }) => pathOf(page)).join(", ") + (other.length > MOST_NAMED ? ", …" : "");
  const data = { name: first.name, target: pathOf(target), other: pathOf(usualTarget), pages: usual.length, from };
  return { page: first.page, element: first.element, outcome: { asks: key, data } };
}

/** Have the pages different headings? Two addresses of one page have the same one; a page without a heading proves nothing. */
function isAboutElse(one: SitePage, other: SitePage): boolean {
  const [first, second] = [one, other].map(({ heading }) => plainName(heading));
  return first !== "" && second !== "" && first !== second;
}

/** Are the links in the same section of the site as their target, such as a shop? */
function isOfSection(links: NamedLink[], target: SitePage): boolean {
  const section = sectionOf(target);
  return section !== undefined && links.every(({ page }) => sectionOf(page) === section);
}

/** Section of a page; undefined for pages at the top of the site. */
function sectionOf({ finalUrl }: SitePage): string | undefined {
  const { host, segments } = partsOf(finalUrl);
  return segments.length > 1 ? `${host}/${segments[0]}` : undefined;
}
