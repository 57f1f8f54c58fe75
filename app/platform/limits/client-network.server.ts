import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** IP range of one internet connection, for rate limits: a connection has a whole IPv6 /64, not one address. */
export function clientNetwork(address: string): string {
  return prefixOf(address, 32, 64);
}

/** Wider IP range, /24 or /48: one customer of a provider, or one company, can easily have that much. */
export function widerNetwork(address: string): string {
  return prefixOf(address, 24, 48);
}

function prefixOf(address: string, bits4: number, bits6: number): string {
  // Some proxies add the port.
  const plain = address.replace(/^\[(.+)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").replace(/%.*$/, "");
  if (!isIPv6(plain)) return prefix4(plain, bits4);
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return prefix4(parsed.toIPv4Address().toString(), bits4);
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${bits6}`).toString()}/${bits6}`;
}

function prefix4(address: string, bits: number): string {
  if (bits === 32 || !isIPv4(address)) return address;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}
