/**
 * An address on our own origin as a path, so that it leads to the server under the name it was reached by; any other as it
 * is.
 */
export function ownPath(address: string, baseUrl: string): string {
  const url = new URL(address);
  return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}` : address;
}
