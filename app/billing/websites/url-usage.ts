/** Usage of a user's purchases of one kind: shown as URLs for subscriptions, as scans for one-time payments. */
export interface UrlUsage {
  kind: "subscription" | "payment";
  current: number;
  /** Null for any number. */
  limit: number | null;
}

interface Entitling {
  kind: UrlUsage["kind"];
  urlLimit: number | null;
  urls: readonly unknown[];
}

/** Usage for each kind with purchases. */
export function urlUsage(entitling: readonly Entitling[]): UrlUsage[] {
  return (["subscription", "payment"] as const).flatMap((kind) => {
    const bought = entitling.filter((each) => each.kind === kind);
    if (bought.length === 0) return [];
    const sum = (count: (each: Entitling) => number) => bought.reduce((total, each) => total + count(each), 0);
    const limit = sum(({ urlLimit }) => urlLimit ?? Infinity);
    return [{ kind, current: sum(({ urls }) => urls.length), limit: limit === Infinity ? null : limit }];
  });
}

interface Registering {
  entitles: boolean;
  urls: readonly { url: string; origin: string; covered: boolean }[];
}

/** URLs of the websites that a user's purchases cover, each once, sorted by host. */
export function coveredWebsites(bought: readonly Registering[]): string[] {
  const covered = bought.filter(({ entitles }) => entitles).flatMap(({ urls }) => urls.filter((each) => each.covered));
  const byOrigin = new Map(covered.map(({ origin, url }) => [origin, url]));
  return [...byOrigin.values()].toSorted((a, b) => new URL(a).host.localeCompare(new URL(b).host));
}
