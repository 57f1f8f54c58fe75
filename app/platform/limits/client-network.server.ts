import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Whose address it is: one subscriber has a whole IPv6 network of 64 bits, and would otherwise have as many allowances. */
export function clientNetwork(address: string): string {
  return prefixOf(address, 32, 64);
}

/** The network that an address is of: what one provider's customer or one company can easily have, /24 or /48. */
export function widerNetwork(address: string): string {
  return prefixOf(address, 24, 48);
}

function prefixOf(address: string, bits4: number, bits6: number): string {
  const plain = address.replace(/%.*$/, "");
  if (!isIPv6(plain)) return prefix4(plain, bits4);
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return prefix4(parsed.toIPv4Address().toString(), bits4);
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${bits6}`).toString()}/${bits6}`;
}

function prefix4(address: string, bits: number): string {
  if (bits === 32 || !isIPv4(address)) return address;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}
