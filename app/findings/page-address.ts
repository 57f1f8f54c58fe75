import { isOfAnotherSite, reachedElsewhere } from "~/scan/redirect";
import { sanitizeUntrustedText } from "./untrusted-text";

/** In characters. */
const MAX_URL = 2_000;

/** Where an address led to, when that is another one. */
export interface Reached {
  url: string;
  isOtherSite: boolean;
}

/** Null where the page is at the address that was asked for, or never came. */
export function reachedBy({ url, finalUrl }: { url: string; finalUrl: string | null }): Reached | null {
  const reached = reachedElsewhere({ url, finalUrl });
  return reached === null ? null : { url: sanitizeUntrustedText(reached, MAX_URL), isOtherSite: isOfAnotherSite(url, reached) };
}

/** Names a page in a link that leads to the report, not to the page: its whole address would promise the page. */
export function pathAndQuery(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
