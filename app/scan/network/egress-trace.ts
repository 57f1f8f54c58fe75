import { canonicalHost } from "./address-policy";
import type { Egress, EgressOutcome } from "./egress";
import { isWebAddress, targetOf } from "./web-address";

/** The egress filter's record of a failed connection. */
export interface EgressTrace {
  /** Undefined when nothing failed there. */
  outcome: EgressOutcome | undefined;
  /** The refused address, if it is not the host itself. */
  address?: string;
}

/** Looks up the outcome of connections to a URL's host and port. */
export function egressTrace(egress: Egress, url: string): EgressTrace {
  if (!isWebAddress(url)) return { outcome: undefined };
  const { host, port } = targetOf(url);
  const name = canonicalHost(host);
  const refusal = egress.refusals().find((each) => each.host === name && each.port === port);
  return { outcome: egress.outcome(host, port), address: refusal?.address };
}
