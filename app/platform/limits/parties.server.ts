import { createHmac, randomBytes } from "node:crypto";
import { widerNetwork } from "./client-network.server";

const USER = "user ";
/** Who is signed in has so many turns for one of people who are not. */
const WEIGHT_OF_USERS = 4;

/** Those who share the scanner in turns: accounts, and the networks of people who are not signed in. */
export const partyOfUser = (id: string) => USER + id;

export const weightOf = (party: string) => (party.startsWith(USER) ? WEIGHT_OF_USERS : 1);

/** Names networks so that nobody can tell which they are, once this process has ended. */
export function createNetworkParties(): (address: string) => string {
  const key = randomBytes(32);
  return (address) => `network ${createHmac("sha256", key).update(widerNetwork(address)).digest("base64url")}`;
}
