/** Name of a page at the top of the site: the router matches paths decoded and case-insensitively. */
export const pageNameOf = (pathname: string): string => decodeURIComponent(pathname).replaceAll("/", "").toLowerCase();
