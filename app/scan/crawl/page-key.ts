/** What two addresses of the same page have in common. */
export function pageKey(url: string): string {
  return visitAddress(url);
}

/** The address to visit. */
export function visitAddress(url: string): string {
  return url;
}
