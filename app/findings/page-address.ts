import { isOfAnotherSite, reachedElsewhere } from "~/scan/redirect";
import { sanitizeUntrustedText } from "./untrusted-text";

/** Maximum length of an address (characters). */
const MAX_URL = 2_000;

/** Final address after redirects, if it differs. */
export interface Reached {
  url: string;
  isOtherSite: boolean;
}

/** Final address; null if it equals the requested one, or the page was not reached. */
export function reachedBy({ url, finalUrl }: { url: string; finalUrl: string | null }): Reached | null {
  const reached = reachedElsewhere({ url, finalUrl });
  return reached === null ? null : { url: sanitizeUntrustedText(reached, MAX_URL), isOtherSite: isOfAnotherSite(url, reached) };
}

/**
 * Path and query of a page on a known site, without the fragment. Also the text of links to the report of a page:
 * the full address would suggest a link to the page itself.
 */
export function pathAndQuery(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
