import { canonicalHost } from "./address-policy";
import type { Egress, EgressOutcome } from "./egress";
import { isWebAddress, targetOf } from "./web-address";

/** What the egress filter knows of a connection that failed. */
export interface EgressTrace {
  /** Undefined when nothing went wrong there. */
  outcome: EgressOutcome | undefined;
  /** The address refused, where it is not the host itself. */
  address?: string;
}

/** Asks what became of the connections to where an address leads. */
export function egressTrace(egress: Egress, url: string): EgressTrace {
  if (!isWebAddress(url)) return { outcome: undefined };
  const { host, port } = targetOf(url);
  const name = canonicalHost(host);
  const refusal = egress.refusals().find((each) => each.host === name && each.port === port);
  return { outcome: egress.outcome(host, port), address: refusal?.address };
}
