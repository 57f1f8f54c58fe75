/** Host and port of an address, without `www.`: the pages of a site may be on either. */
export const hostWithoutWww = (url: string): string => new URL(url).host.replace(/^www\./, "");
