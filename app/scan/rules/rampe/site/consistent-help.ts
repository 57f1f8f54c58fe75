import { groupBy } from "~/scan/site/group-by";
import { pageKey } from "~/scan/crawl/addresses/address";
import type { HelpItem } from "~/scan/site/site-facts";
import { pathOf, type SiteFault, type SitePage, type SiteRule } from "~/scan/site/site-rule";

type Side = HelpItem["side"];

/** A way to get help on one page, with all its places there. */
interface HelpOnPage {
  page: SitePage;
  items: HelpItem[];
}

/** Success criterion 3.2.6: help is before the main content on some pages and after it on others. */
export const consistentHelp: SiteRule = {
  id: "rampe-consistent-help",
  since: "1.6.0",
  criteria: ["3.2.6"],
  level: "wcag22a",
  category: "structure",
  impact: "moderate",
  judge({ pages }) {
    const repeated = [...helpByTarget(pages).values()].filter((help) => help.length > 1);
    return { compared: repeated.length, faults: repeated.flatMap((help) => faultOf(help) ?? []) };
  },
};

function helpByTarget(pages: SitePage[]): Map<string, HelpOnPage[]> {
  const found = new Map<string, HelpOnPage[]>();
  for (const page of pages) {
    const items = groupBy(page.help, ({ address }) => JSON.stringify([page.language, /^https?:/.test(address) ? pageKey(address) : address]));
    for (const [key, places] of items) found.set(key, [...(found.get(key) ?? []), { page, items: places }]);
  }
  return found;
}

/** Fault for the first page on which the help is in another place than on most pages. */
function faultOf(help: HelpOnPage[]): SiteFault | undefined {
  const on = (side: Side) => help.filter(({ items }) => items.some((item) => item.side === side));
  const [before, after] = [on("before"), on("after")];
  // Help in the header is the same help, wherever some pages repeat it.
  if (before.length === help.length || after.length === help.length) return undefined;
  const [usual, side]: [HelpOnPage[], Side] = before.length > after.length ? [before, "after"] : [after, "before"];
  const different = help.filter((at) => !usual.includes(at));
  const [first, reference] = [different[0], usual[0]];
  const item = first?.items[0];
  if (!first || !item || !reference) return undefined;
  const data = { name: item.name || item.address, page: pathOf(reference.page), count: different.length, pages: help.length };
  // Outside of header and footer, it may be part of the content, such as the author of an article.
  const isOfFrame = [...different, ...usual].every(({ items }) => items.every(({ isOfFrame }) => isOfFrame));
  return { page: first.page, element: item.element, outcome: isOfFrame ? { fails: side, data } : { asks: side, data } };
}
