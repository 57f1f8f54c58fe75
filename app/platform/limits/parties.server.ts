import { createHmac, randomBytes } from "node:crypto";
import { widerNetwork } from "./client-network.server";

const USER = "user ";
/** A signed-in user gets this many turns for each turn of an anonymous network. */
const WEIGHT_OF_USERS = 4;

/** Parties take turns on the scanner: accounts, and the networks of visitors who are not signed in. */
export const partyOfUser = (id: string) => USER + id;

export const weightOf = (party: string) => (party.startsWith(USER) ? WEIGHT_OF_USERS : 1);

/**
 * Names networks by keyed hash: after this process ends, the network cannot be identified.
 * @param secret of several processes, which must name a network alike
 */
export function createNetworkParties(secret?: string): (address: string) => string {
  const key = secret ? createHmac("sha256", secret).update("networks").digest() : randomBytes(32);
  return (address) => `network ${createHmac("sha256", key).update(widerNetwork(address)).digest("base64url")}`;
}
