/** Pages of plain text by their paths; some have one in each language. */
export const INFO_PAGES = {
  imprint: "imprint",
  impressum: "imprint",
  privacy: "privacy",
  datenschutz: "privacy",
  accessibility: "accessibility",
  barrierefreiheit: "accessibility",
} as const;

export type InfoPageKey = (typeof INFO_PAGES)[keyof typeof INFO_PAGES];

/** The page at a path that the router has matched, which it does decoded and in any case of letters. */
export function quietPageOf(pathname: string): InfoPageKey {
  const path = decodeURIComponent(pathname).replaceAll("/", "").toLowerCase();
  return INFO_PAGES[path as keyof typeof INFO_PAGES];
}
