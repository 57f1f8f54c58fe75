/** Websites that a purchase covers, as pages show them. */
export interface WebsiteSlotsView {
  id: string;
  planName: string;
  kind: "subscription" | "payment";
  used: number;
  /** Null for any number. */
  limit: number | null;
  /** End of coverage, Unix time in ms; null until further notice. */
  endsAt: number | null;
  websites: { id: number; origin: string; /** Within the limit. */ covered: boolean }[];
}

interface Bought {
  id: string;
  kind: "subscription" | "payment";
  entitles: boolean;
  planName: string;
  urlLimit: number | null;
  endsAt: number | null;
  urls: readonly WebsiteSlotsView["websites"][number][];
}

/** Slots of all purchases that entitle to new scans. */
export function websiteSlots(bought: readonly Bought[]): WebsiteSlotsView[] {
  return bought
    .filter(({ entitles }) => entitles)
    .map(({ id, planName, kind, urlLimit, endsAt, urls }) => ({
      id,
      planName,
      kind,
      used: urls.length,
      limit: urlLimit,
      endsAt,
      websites: urls.map((each) => ({ id: each.id, origin: each.origin, covered: each.covered })),
    }));
}

/** State after a website is removed: reports that stay readable, and whether another purchase still covers it. */
export interface AfterRemoval {
  reports: number;
  covered: boolean;
}
