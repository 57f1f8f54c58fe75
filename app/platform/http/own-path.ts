/**
 * Path of an address on our own origin, so that the host name of the current request is kept; other addresses stay
 * unchanged.
 */
export function ownPath(address: string, baseUrl: string): string {
  const url = new URL(address);
  return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}` : address;
}
