import type { Selectable } from "kysely";
import type { AcceptanceTable } from "db/tables/reports";
import { pathAndQuery } from "~/findings/page-address";
import { hostWithoutWww } from "~/scan/host-without-www";

/** As stored, with the names of the people. */
export type StoredAcceptance = Selectable<AcceptanceTable> & { by: string | null; ender: string | null };

/** The subject of an acceptance, without its texts. */
export type ActiveAcceptance = Pick<StoredAcceptance, (typeof SUBJECT_COLUMNS)[number]>;

export const SUBJECT_COLUMNS = ["id", "owner", "scope", "rule", "origin", "path", "fingerprint", "component"] as const satisfies (keyof AcceptanceTable)[];

/** Components and rules are accepted for the origin of a run, elements for a page of its site. */
export function holdsIn(run: { url: string }): (row: Pick<ActiveAcceptance, "scope" | "origin">) => boolean {
  const [origin, site] = [new URL(run.url).origin, hostWithoutWww(run.url)];
  // Thousands of acceptances have few origins.
  const ofSite = new Map<string, boolean>();
  const isOfSite = (of: string) => {
    const known = ofSite.get(of) ?? hostWithoutWww(of) === site;
    ofSite.set(of, known);
    return known;
  };
  return (row) => (row.scope === "element" ? isOfSite(row.origin) : row.origin === origin);
}

/** The address of a page, as it is stored with an acceptance. */
export const urlWithoutFragment = (pageUrl: string): string => `${new URL(pageUrl).origin}${pathAndQuery(pageUrl)}`;

/** @param url as `urlWithoutFragment` @param rule as `ruleKey` */
export const elementKey = (url: string, rule: string, fingerprint: string): string => `${url}\n${rule}\n${fingerprint}`;
