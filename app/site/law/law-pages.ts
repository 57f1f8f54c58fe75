/** The pages that explain laws and standards; their paths are their names, and `law.json` has their texts. */
export const LAW_PAGES = ["bfsg", "eaa", "wcag"] as const;
export type LawPageKey = (typeof LAW_PAGES)[number];

/** Month of the last check of these texts against their sources. */
export const LAW_AS_OF = "2026-11";

/** The page at a path; the router matches paths decoded and case-insensitively. */
export function lawPageOf(pathname: string): LawPageKey {
  const path = decodeURIComponent(pathname).replaceAll("/", "").toLowerCase();
  return LAW_PAGES.find((page) => page === path) ?? "bfsg";
}

/** A page's texts. */
export interface LawPageTexts {
  heading: string;
  lead: string;
  overview: { heading: string; facts: Point[] };
  timeline: { heading: string; lead: string; events: LawEvent[] };
  sections: LawSection[];
  action: { heading: string; text: string; label: string };
  resources: { heading: string; links: { label: string; href: string; lang: string }[] };
}

interface Point {
  term: string;
  text: string;
}

export interface LawEvent {
  /** ISO 8601: a day, or a month if no day is known. */
  on: string;
  title: string;
  text: string;
}

export interface LawSection {
  /** Id of the section, for links. */
  id: string;
  heading: string;
  paragraphs: string[];
  points: Point[];
}

/** Whether a day or month is in the future. @param now Unix time in ms */
export function isAhead(on: string, now: number): boolean {
  return on > new Date(now).toISOString().slice(0, on.length);
}
