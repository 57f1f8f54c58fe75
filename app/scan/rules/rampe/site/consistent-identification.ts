import { groupBy } from "~/scan/site/group-by";
import { plainName, repeatedBlocks, type BlockOnPage } from "~/scan/site/repeated-blocks";
import { pathOf, type SiteFault, type SitePage, type SiteRule } from "~/scan/site/site-rule";
import type { SiteElement } from "~/scan/site/site-facts";

/** An element of several pages, with its name on one of them. */
interface Named {
  page: SitePage;
  element: SiteElement;
  name: string;
}

/** Failure F31: links of a repeated menu, or the search, have other names on other pages. */
export const consistentIdentification: SiteRule = {
  id: "rampe-consistent-identification",
  since: "1.6.0",
  criteria: ["3.2.4"],
  level: "wcag2aa",
  category: "name-role-value",
  impact: "moderate",
  judge({ pages }) {
    const compared = [...repeatedBlocks(pages).flatMap(linksByTarget).map((named) => ({ named, key: "link" })), ...searches(pages).map((named) => ({ named, key: "search" }))];
    return { compared: compared.length, faults: compared.flatMap(({ named, key }) => faultOf(named, key) ?? []) };
  },
};

/** Fault for the first page on which the name differs from that on most pages. */
function faultOf(named: Named[], key: string): SiteFault | undefined {
  const names = [...groupBy(named, ({ name }) => plainName(name)).values()].sort((one, other) => other.length - one.length);
  const [usual, ...others] = names.map(([first]) => first);
  const different = others.find((other) => usual && other && isOtherName(usual.name, other.name));
  if (!usual || !different) return undefined;
  const data = { name: different.name, other: usual.name, page: pathOf(usual.page), pages: named.length };
  return { page: different.page, element: different.element, outcome: { asks: key, data } };
}

/** Is the name unrecognisable? “Contact” and “Contact us”, or “Tea” and “Tea (this page)”, are recognisable. */
function isOtherName(one: string, other: string): boolean {
  const [words, others] = [one, other].map((name) => plainName(name).split(" ")) as [string[], string[]];
  return !words.every((word) => others.includes(word)) && !others.every((word) => words.includes(word));
}

/** Links of a repeated block, by their target page. */
function linksByTarget(group: BlockOnPage[]): Named[][] {
  const links = group.flatMap(({ page, block, links: all }) => all.map(({ key, name }) => ({ page, element: block.element, name, key })));
  const targets = new Map<string, Set<string>>();
  for (const { name, key } of links) targets.set(plainName(name), (targets.get(plainName(name)) ?? new Set()).add(key));
  // A link such as “next” leads to another target from each page.
  const isRelative = (name: string) => (targets.get(plainName(name))?.size ?? 0) > 1;
  return [...groupBy(links, ({ key }) => key).values()].filter((named) => named.length > 1 && !named.some(({ name }) => isRelative(name)));
}

/** Search fields with the same action, in one language. */
function searches(pages: SitePage[]): Named[][] {
  const named = pages.flatMap((page) => {
    const { search } = page;
    return search && plainName(search.name) !== "" ? [{ page, element: search.element, name: search.name, key: JSON.stringify([page.language, search.action]) }] : [];
  });
  return [...groupBy(named, ({ key }) => key).values()].filter((alike) => alike.length > 1);
}
