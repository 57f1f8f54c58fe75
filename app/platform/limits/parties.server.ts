import { createHmac, randomBytes } from "node:crypto";
import { widerNetwork } from "./client-network.server";

const USER = "user ";
/** Turns of a signed-in user for each turn of an anonymous network. */
const WEIGHT_OF_USERS = 4;

/** Name of the party of an account. Parties take turns on the scanner; visitors without sign-in belong to their network. */
export const partyOfUser = (id: string) => USER + id;

export const weightOf = (party: string) => (party.startsWith(USER) ? WEIGHT_OF_USERS : 1);

/**
 * Names networks by keyed hash: after the end of this process, the network cannot be identified.
 * @param secret shared by several processes, so that they use the same names
 */
export function createNetworkParties(secret?: string): (address: string) => string {
  const key = secret ? createHmac("sha256", secret).update("networks").digest() : randomBytes(32);
  return (address) => `network ${createHmac("sha256", key).update(widerNetwork(address)).digest("base64url")}`;
}
