import { visitAddress } from "~/scan/crawl/addresses/address";
import type { SiteElement } from "~/scan/site/site-facts";
import { pathOf, type DeadAddress, type SiteFault, type SitePage, type SiteRule } from "~/scan/site/site-rule";

/** A link to an address that is dead, on one page. */
interface DeadLink {
  page: SitePage;
  name: string;
  element: SiteElement;
}

/** Maximum number of paths in a message. */
const MOST_NAMED = 5;

/**
 * Links to missing pages of the site, according to the answers of the crawl. It asks: no success criterion forbids such links, and a
 * server may answer users differently.
 */
export const deadLink: SiteRule = {
  id: "rampe-dead-link",
  since: "1.10.0",
  criteria: ["2.4.4"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "moderate",
  judge({ pages, dead }) {
    const hosts = new Set(pages.flatMap(({ url, finalUrl }) => [hostOf(url), hostOf(finalUrl)]));
    // A host that led to a page exists: the failure was temporary.
    const certain = dead.filter(({ url, why }) => why !== "host" || !hosts.has(hostOf(url)));
    const found = linksTo(certain, pages).filter(({ links }) => links.length > 0);
    const faults = found.toSorted((one, other) => other.links.length - one.links.length).flatMap(faultOf);
    return { compared: pages.length, faults };
  },
};

/** At most one link of each page for each address. */
function linksTo(dead: DeadAddress[], pages: SitePage[]): { address: DeadAddress; links: DeadLink[] }[] {
  const found = new Map(dead.map((address) => [keyOf(address), { address, links: [] as DeadLink[] }]));
  if (found.size === 0) return [];
  for (const page of pages) {
    const inBlocks = page.blocks.flatMap(({ links, element }) => links.map((link) => ({ ...link, element })));
    for (const { name, address, element } of [...page.links, ...inBlocks]) {
      const links = (found.get(hostOf(address)) ?? found.get(visitAddress(address)))?.links;
      if (links && links.at(-1)?.page !== page) links.push({ page, name, element });
    }
  }
  return [...found.values()];
}

function faultOf({ address: { url, why }, links }: { address: DeadAddress; links: DeadLink[] }): SiteFault[] {
  return links.slice(0, 1).map(({ page, name, element }) => {
    const from = links.slice(0, MOST_NAMED).map((link) => pathOf(link.page)).join(", ");
    const more = links.length > MOST_NAMED ? ", …" : "";
    const target = why === "host" ? hostOf(url) : pathOf({ finalUrl: url });
    const outcome = { asks: why === "host" ? "host" : "page", data: { name, target, status: why, pages: links.length, from: from + more } };
    return { page, element, outcome };
  });
}

const hostOf = (url: string) => new URL(url).host;

/** The address as it was requested: another spelling of the same page may lead to it. */
const keyOf = ({ url, why }: DeadAddress) => (why === "host" ? hostOf(url) : url);
