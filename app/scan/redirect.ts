import { siteOf } from "./crawl/addresses/address";
import { isWebAddress } from "./network/web-address";

/**
 * The address reached, if it differs from the requested one; else null. Small differences, such as another scheme, count;
 * a fragment counts only if it names a page, as `#/login` does.
 */
export function reachedElsewhere({ url, finalUrl }: { url: string; finalUrl: string | null }): string | null {
  return finalUrl === null || comparable(url) === comparable(finalUrl) ? null : finalUrl;
}

function comparable(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  if (!isHashRoute(address)) address.hash = "";
  return address.href;
}

/** Applications that name their page in the fragment write it as a path. */
export const isHashRoute = ({ hash }: URL): boolean => /^#!?\//.test(hash);

/** Is the address reached outside the requested site? */
export const isOfAnotherSite = (url: string, reached: string): boolean => isWebAddress(url) && !siteOf(url).includes(reached);
