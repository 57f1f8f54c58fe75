import { pageKey } from "~/scan/crawl/addresses/address";
import type { LinkBlock } from "./site-facts";
import type { SitePage } from "./site-rule";

/** A link of a block; `key` identifies its target page. */
export interface KeyedLink {
  key: string;
  name: string;
}

/** A block as it is on one page. */
export interface BlockOnPage {
  page: SitePage;
  block: LinkBlock;
  links: KeyedLink[];
}

/** Minimum number of links; smaller blocks cannot be identified. */
const FEWEST_LINKS = 3;
/** Minimum share of common links of two versions of a block, relative to the smaller one. */
const COMMON_SHARE = 0.6;
/** Maximum number of different blocks of one kind and name, such as lists of articles. */
const MOST_GROUPS = 20;

/** Blocks repeated on pages of one language: same kind and name, with mostly the same links. Each is on two pages or more. */
export function repeatedBlocks(pages: SitePage[]): BlockOnPage[][] {
  const groups = new Map<string, BlockOnPage[][]>();
  const keys = new Map<string, string>();
  for (const page of pages) {
    for (const block of page.blocks) {
      const links = keyedLinks(block, keys);
      if (links.length < FEWEST_LINKS) continue;
      const kind = JSON.stringify([page.language, block.kind, block.name]);
      const alike = groups.get(kind) ?? [];
      groups.set(kind, alike);
      const group = alike.find(([first, ...others]) => first && isSame(first.links, links) && (others.at(-1) ?? first).page !== page);
      if (group) group.push({ page, block, links });
      else if (alike.length < MOST_GROUPS) alike.push([{ page, block, links }]);
    }
  }
  return [...groups.values()].flat().filter((group) => group.length > 1);
}

/**
 * Links of a block, without numbers, and without repeated addresses: “previous” and “next” lead to pages of the same list.
 * @param keys cached keys of addresses, because pages repeat them
 */
function keyedLinks({ links }: LinkBlock, keys: Map<string, string>): KeyedLink[] {
  const keyed = links.map(({ name, address }) => {
    const key = keys.get(address) ?? pageKey(address);
    keys.set(address, key);
    return { key, name };
  });
  const counts = new Map<string, number>();
  for (const { key } of keyed) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keyed.filter(({ key, name }) => counts.get(key) === 1 && plainName(name) !== "");
}

function isSame(one: KeyedLink[], other: KeyedLink[]): boolean {
  const keys = new Set(one.map(({ key }) => key));
  const common = other.filter(({ key }) => keys.has(key)).length;
  return common >= FEWEST_LINKS && common >= COMMON_SHARE * Math.min(one.length, other.length);
}

/** Normalised name for comparisons: lower case, no punctuation, and no numbers, which may count messages or goods. */
export function plainName(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{M}]+/gu, " ").trim();
}
