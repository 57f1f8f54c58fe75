import type { SiteRule } from "~/scan/site/site-rule";

/** Minimum number of pages: smaller sites show all their pages at once. */
const FEWEST_PAGES = 5;

/** Success criterion 2.4.5: asks if neither a search nor a site map was found; on a partly scanned site, one may be on another page. */
export const moreWays: SiteRule = {
  id: "rampe-more-ways",
  since: "1.6.0",
  criteria: ["2.4.5"],
  level: "wcag2aa",
  category: "keyboard",
  impact: "moderate",
  judge({ pages, isWhole }) {
    const [first] = pages;
    if (pages.some(({ hasFinder }) => hasFinder)) return { compared: 1, faults: [] };
    if (!first || !isWhole || pages.length < FEWEST_PAGES) return { compared: 0, faults: [] };
    const menu = first.blocks.find(({ kind }) => kind === "navigation");
    const element = menu?.element ?? { selector: "html", html: "<html>" };
    return { compared: 1, faults: [{ page: first, element, outcome: { asks: "menu", data: { pages: pages.length } } }] };
  },
};
