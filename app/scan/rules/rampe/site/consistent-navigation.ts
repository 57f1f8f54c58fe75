import { groupBy } from "~/scan/site/group-by";
import { repeatedBlocks, type BlockOnPage, type KeyedLink } from "~/scan/site/repeated-blocks";
import { pathOf, type SiteFault, type SiteRule } from "~/scan/site/site-rule";

/** Minimum share of common links for a certain result: otherwise it may be a changing list, not one menu. */
const CERTAIN_SHARE = 0.8;

/** Failure F66: a repeated menu whose links come in another order on some pages. Links may be missing or added. */
export const consistentNavigation: SiteRule = {
  id: "rampe-consistent-navigation",
  since: "1.6.0",
  criteria: ["3.2.3"],
  level: "wcag2aa",
  category: "structure",
  impact: "moderate",
  judge({ pages }) {
    const groups = repeatedBlocks(pages);
    return { compared: groups.length, faults: groups.flatMap((group) => faultOf(group) ?? []) };
  },
};

/** Fault for the first page whose order differs from that of most pages. */
function faultOf(group: BlockOnPage[]): SiteFault | undefined {
  const orders = ordersOf(group);
  const usual = orders.reduce((most, order) => (order.length > most.length ? order : most));
  const [reference] = usual;
  if (!reference) return undefined;
  const different = group.flatMap((at) => {
    const moved = firstMoved(reference.links, at.links);
    return moved ? [{ ...at, moved }] : [];
  });
  const [first] = different;
  if (!first) return undefined;
  const [link, other] = first.moved;
  const data = { link: link.name, other: other.name, page: pathOf(reference.page), count: different.length, pages: group.length };
  // Other lists, and lists without a usual order, may be sorted again for each page.
  const isMenu = /^(navigation|banner)$/.test(first.block.kind) && different.length <= group.length / 2 && different.every((at) => commonShare(reference.links, at.links) >= CERTAIN_SHARE);
  return { page: first.page, element: first.block.element, outcome: isMenu ? { fails: "order", data } : { asks: "order", data } };
}

/** Pages by the order of the links; those that lack some links have an order of their own. */
function ordersOf(group: BlockOnPage[]): BlockOnPage[][] {
  return [...groupBy(group, ({ links }) => JSON.stringify(links.map(({ key }) => key))).values()];
}

/** First two common links with swapped places: the one that comes first now, and the one that came first before. */
function firstMoved(usual: KeyedLink[], links: KeyedLink[]): [KeyedLink, KeyedLink] | undefined {
  const keys = new Set(links.map(({ key }) => key));
  const expected = usual.filter(({ key }) => keys.has(key));
  const known = new Set(expected.map(({ key }) => key));
  const common = links.filter(({ key }) => known.has(key));
  const index = common.findIndex(({ key }, at) => key !== expected[at]?.key);
  const [link, other] = [common[index], expected[index]];
  return link && other && [link, other];
}

function commonShare(one: KeyedLink[], other: KeyedLink[]): number {
  const keys = new Set(one.map(({ key }) => key));
  return other.filter(({ key }) => keys.has(key)).length / Math.max(one.length, other.length);
}
