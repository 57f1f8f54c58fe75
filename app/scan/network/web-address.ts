/** Is this an absolute address that the scanner can visit? */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

const LONGEST_ADDRESS = 8_192;

/** Address cut to the stored length: pages may use addresses of megabytes. */
export const cutAddress = (url: string): string => url.slice(0, LONGEST_ADDRESS);

/** Host and port of a web address. */
export function targetOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, port: Number(port || (protocol === "http:" ? 80 : 443)) };
}
