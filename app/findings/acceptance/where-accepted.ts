import type { Selectable } from "kysely";
import type { AcceptanceTable } from "db/schema";

/** As stored, with the names of the people. */
export type ActiveAcceptance = Selectable<AcceptanceTable> & { by: string | null; ender: string | null };

/** A page without the fragment, which is a position on the same page. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** The host without `www.`: the pages of a run may be on either. */
export const siteOf = (url: string): string => new URL(url).host.replace(/^www\./, "");

/** Components and rules are accepted for the origin of a run, elements for a page of its site. */
export function holdsIn(run: { url: string }): (row: Pick<ActiveAcceptance, "scope" | "origin">) => boolean {
  const [origin, site] = [new URL(run.url).origin, siteOf(run.url)];
  return (row) => (row.scope === "element" ? siteOf(row.origin) === site : row.origin === origin);
}

/** @param rule as `ruleKey` */
export const elementKey = (pageUrl: string, rule: string, fingerprint: string): string =>
  `${new URL(pageUrl).origin}${pathOf(pageUrl)}\n${rule}\n${fingerprint}`;
