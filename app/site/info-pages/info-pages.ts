/** Pages of plain text by their paths; some have one path per language. */
export const INFO_PAGES = {
  imprint: "imprint",
  impressum: "imprint",
  privacy: "privacy",
  datenschutz: "privacy",
  accessibility: "accessibility",
  barrierefreiheit: "accessibility",
} as const;

export type InfoPageKey = (typeof INFO_PAGES)[keyof typeof INFO_PAGES];

/** The page at a path; the router matches paths decoded and case-insensitively. */
export function infoPageOf(pathname: string): InfoPageKey {
  const path = decodeURIComponent(pathname).replaceAll("/", "").toLowerCase();
  return INFO_PAGES[path as keyof typeof INFO_PAGES];
}
