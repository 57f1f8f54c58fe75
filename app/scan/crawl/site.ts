import { isWebAddress } from "~/scan/network/web-address";
import { withoutWww } from "./page-key";

/** The addresses that belong to one site. */
export interface Site {
  /**
   * Does this address belong to the site: the same host with or without `www.`, the same port (the default ports of
   * http and https count as one)?
   */
  includes(url: string): boolean;
}

/** The site of an address. */
export function siteOf(startUrl: string): Site {
  const own = originOf(startUrl);
  return { includes: (url) => isWebAddress(url) && originOf(url) === own };
}

function originOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${withoutWww(hostname)}:${port}`;
}
