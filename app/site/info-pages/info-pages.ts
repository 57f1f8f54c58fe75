import { pageNameOf } from "~/platform/http/page-name";

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

/** The page at a path. */
export function infoPageOf(pathname: string): InfoPageKey {
  return INFO_PAGES[pageNameOf(pathname) as keyof typeof INFO_PAGES];
}
