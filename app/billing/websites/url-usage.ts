/** How much is used of what somebody has bought of one kind: subscribers read of URLs, holders of payments of scans. */
export interface UrlUsage {
  kind: "subscription" | "payment";
  current: number;
  /** Null for any number. */
  limit: number | null;
}

interface Granting {
  kind: UrlUsage["kind"];
  urlLimit: number | null;
  urls: readonly unknown[];
}

/** Of each kind that there is. */
export function urlUsage(granting: readonly Granting[]): UrlUsage[] {
  return (["subscription", "payment"] as const).flatMap((kind) => {
    const bought = granting.filter((each) => each.kind === kind);
    if (bought.length === 0) return [];
    const sum = (count: (each: Granting) => number) => bought.reduce((total, each) => total + count(each), 0);
    const limit = sum(({ urlLimit }) => urlLimit ?? Infinity);
    return [{ kind, current: sum(({ urls }) => urls.length), limit: limit === Infinity ? null : limit }];
  });
}

interface Registering {
  grants: boolean;
  urls: readonly { url: string; origin: string; covered: boolean }[];
}

/** Addresses of the websites that what somebody has bought covers, each once, by their names. */
export function coveredWebsites(bought: readonly Registering[]): string[] {
  const covered = bought.filter(({ grants }) => grants).flatMap(({ urls }) => urls.filter((each) => each.covered));
  const byOrigin = new Map(covered.map(({ origin, url }) => [origin, url]));
  return [...byOrigin.values()].toSorted((a, b) => new URL(a).host.localeCompare(new URL(b).host));
}
