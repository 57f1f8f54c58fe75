/** Pages of plain text by their paths; some have one in each language. */
export const QUIET_PAGES = {
  imprint: "imprint",
  impressum: "imprint",
  privacy: "privacy",
  datenschutz: "privacy",
  accessibility: "accessibility",
  barrierefreiheit: "accessibility",
} as const;

export type QuietPageKey = (typeof QUIET_PAGES)[keyof typeof QUIET_PAGES];

/** The page at a path that the router has matched, which it does decoded and in any case of letters. */
export function quietPageOf(pathname: string): QuietPageKey {
  const path = decodeURIComponent(pathname).replaceAll("/", "").toLowerCase();
  return QUIET_PAGES[path as keyof typeof QUIET_PAGES];
}
