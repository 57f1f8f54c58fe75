/** What pages show of the websites that a purchase covers. */
export interface WebsiteSlotsView {
  id: string;
  planName: string;
  kind: "subscription" | "payment";
  used: number;
  /** Null for any number. */
  limit: number | null;
  /** Until when it covers anything, in Unix time in ms; null until further notice. */
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

/** Of all purchases that entitle to new scans. */
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

/** What removing a website leaves: reports that stay readable, and whether something else still covers it. */
export interface AfterRemoval {
  reports: number;
  covered: boolean;
}
