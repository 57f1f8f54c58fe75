import type { PageRule } from "~/scan/rules/rampe/page-rule";
import type { SiteElement, SiteFacts } from "./site-facts";

/** A checked page of a site. */
export interface SitePage extends SiteFacts {
  /** Requested address; unique. */
  url: string;
  finalUrl: string;
  title: string;
  /** Primary language, such as `de`; "" if the page has none. */
  language: string;
}

/** An address of the site without a page: its request failed permanently. */
export interface DeadAddress {
  /** Requested address. */
  url: string;
  /** Status of the answer, or `host`: the host name does not exist. */
  why: 404 | 410 | "host";
}

export interface ScannedSite {
  /** Pages in the order of checking, the start page first if it was checked. */
  pages: SitePage[];
  /** Dead addresses in the order of the crawl. */
  dead: DeadAddress[];
  /** No page is missing: no limit was reached, and each known page was checked. */
  isWhole: boolean;
}

/** A fault of the site, shown on one of its pages. */
export interface SiteFault {
  page: SitePage;
  element: SiteElement;
  /** Same as in `Judgement`. */
  outcome: { fails: string; data: Record<string, string | number> } | { asks: string; data: Record<string, string | number> };
}

interface SiteJudgement {
  /** Number of compared elements; 0 if the rule does not apply to the site. */
  compared: number;
  faults: SiteFault[];
}

/** A check of our own about a whole site: a pure function of facts of its pages. It runs only in advanced analyses. */
export interface SiteRule extends Pick<PageRule, "id" | "since" | "criteria" | "level" | "category" | "impact"> {
  judge: (site: ScannedSite) => SiteJudgement;
}

/** Address of a page for messages: without the origin, which all pages of a site share. */
export function pathOf({ finalUrl }: Pick<SitePage, "finalUrl">): string {
  const { pathname, search } = new URL(finalUrl);
  const path = pathname + search;
  return path.length > 100 ? `${path.slice(0, 99)}…` : path;
}
