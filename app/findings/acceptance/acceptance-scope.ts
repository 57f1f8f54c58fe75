import type { Selectable } from "kysely";
import type { AcceptanceTable } from "db/tables/reports";
import { pathAndQuery } from "~/findings/page-address";
import { hostWithoutWww } from "~/scan/host-without-www";

/** Stored acceptance, with the names of the people. */
export type StoredAcceptance = Selectable<AcceptanceTable> & { by: string | null; ender: string | null };

/** Subject of an acceptance, without its texts. */
export type ActiveAcceptance = Pick<StoredAcceptance, (typeof SUBJECT_COLUMNS)[number]>;

export const SUBJECT_COLUMNS = ["id", "owner", "scope", "rule", "origin", "path", "fingerprint", "component"] as const satisfies (keyof AcceptanceTable)[];

/** Filter for acceptances that apply to a run: components and rules by the run's origin, elements by a page of its site. */
export function holdsIn(run: { url: string }): (row: Pick<ActiveAcceptance, "scope" | "origin">) => boolean {
  const [origin, site] = [new URL(run.url).origin, hostWithoutWww(run.url)];
  // Cache: thousands of acceptances have few origins.
  const ofSite = new Map<string, boolean>();
  const isOfSite = (of: string) => {
    const known = ofSite.get(of) ?? hostWithoutWww(of) === site;
    ofSite.set(of, known);
    return known;
  };
  return (row) => (row.scope === "element" ? isOfSite(row.origin) : row.origin === origin);
}

/** Page address as stored with an acceptance. */
export const urlWithoutFragment = (pageUrl: string): string => `${new URL(pageUrl).origin}${pathAndQuery(pageUrl)}`;

/** @param url result of `urlWithoutFragment` @param rule result of `ruleKey` */
export const elementKey = (url: string, rule: string, fingerprint: string): string => `${url}\n${rule}\n${fingerprint}`;
