import { isOfAnotherSite, reachedElsewhere } from "~/scan/redirect";
import { sanitizeUntrustedText } from "./untrusted-text";

/** In characters. */
const MAX_URL = 2_000;

/** Final address after redirects, if it is another one. */
export interface Reached {
  url: string;
  isOtherSite: boolean;
}

/** Null if the page is at the requested address, or was not reached. */
export function reachedBy({ url, finalUrl }: { url: string; finalUrl: string | null }): Reached | null {
  const reached = reachedElsewhere({ url, finalUrl });
  return reached === null ? null : { url: sanitizeUntrustedText(reached, MAX_URL), isOtherSite: isOfAnotherSite(url, reached) };
}

/**
 * A page of a known site, without the fragment, which is a position on the same page. It also names a page in a link to the report:
 * the full address would suggest a link to the page itself.
 */
export function pathAndQuery(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
