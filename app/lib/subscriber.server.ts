import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Whose address it is: one subscriber has a whole IPv6 network of 64 bits, and would otherwise have as many allowances. */
export function subscriberOf(address: string): string {
  const plain = address.replace(/%.*$/, "");
  if (!isIPv6(plain)) return plain;
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`;
}
