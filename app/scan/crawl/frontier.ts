import { pageKey } from "./page-key";
import type { Site } from "./site";
import type { Trap } from "./trap";

/** An address that may be a page of the site. */
export interface KnownAddress {
  url: string;
  /** What all addresses of the same page have in common (`page-key.ts`). */
  key: string;
  /** Clicks from the start page; entries of sitemaps count 1. */
  depth: number;
  /** Length of the chain of pages of one template that led here, each found only by the one before. */
  chain: number;
  source: "start" | "link" | "sitemap" | "canonical";
}

export interface Frontier {
  add(found: { urls: string[]; source: KnownAddress["source"]; from?: KnownAddress }): KnownAddress[];
  restore(known: KnownAddress[], taken: string[]): void;
  next(): KnownAddress | undefined;
  putBack(address: KnownAddress): void;
  claim(url: string, by: KnownAddress): boolean;
  readonly known: number;
  readonly waiting: number;
  traps(): Trap[];
  skipped(): { notPage: number; elsewhere: number; overflow: number };
}

export function createFrontier({ site }: { site: Site; mostKnown: number }): Frontier {
  const waiting: KnownAddress[] = [];
  const known = new Map<string, KnownAddress | undefined>();
  return {
    add({ urls, source, from }) {
      const found: KnownAddress[] = [];
      for (const url of urls) {
        const key = pageKey(url);
        if (!site.includes(url) || known.has(key)) continue;
        found.push({ url, key, depth: (from?.depth ?? -1) + 1, chain: 0, source });
        known.set(key, found.at(-1));
      }
      waiting.push(...found);
      return found;
    },
    restore(all, taken) {
      for (const each of all) {
        known.set(each.key, each);
        if (!taken.includes(each.key)) waiting.push(each);
      }
    },
    next: () => waiting.shift(),
    putBack: (address) => void waiting.push(address),
    claim(url, by) {
      const key = pageKey(url);
      const owner = known.get(key);
      if (owner && owner.key !== by.key) return false;
      known.set(key, by);
      return true;
    },
    get known() {
      return known.size;
    },
    get waiting() {
      return waiting.length;
    },
    traps: () => [],
    skipped: () => ({ notPage: 0, elsewhere: 0, overflow: 0 }),
  };
}
