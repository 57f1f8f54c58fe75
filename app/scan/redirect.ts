import { siteOf } from "./crawl/site";
import { isWebAddress } from "./network/web-address";

/**
 * The address reached, where it is not the one asked for; else null. Smaller differences, such as another scheme, count;
 * a fragment does only where it names a page, as `#/login` does.
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

/** Applications that keep the name of their page in the fragment write it as a path. */
export const isHashRoute = ({ hash }: URL): boolean => /^#!?\//.test(hash);

/** Is the address reached none of the site that was asked for? */
export const isOfAnotherSite = (url: string, reached: string): boolean => isWebAddress(url) && !siteOf(url).includes(reached);
