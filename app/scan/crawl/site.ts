/** The addresses that belong to one site. */
export interface Site {
  includes(url: string): boolean;
}

export function siteOf(startUrl: string): Site {
  const { host } = new URL(startUrl);
  return { includes: (url) => URL.canParse(url) && new URL(url).host === host };
}
