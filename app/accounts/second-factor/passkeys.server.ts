import type { Db, Trx } from "db/schema";
import { hashOf } from "~/platform/crypto/tokens.server";
import { MINUTE_MS } from "~/platform/durations";
import type { User } from "~/accounts/user.server";
import { parseAssertion, parseRegistration } from "./passkey-answer.server";

/** Lifetime of a challenge: a little longer than browsers wait for a person. */
const CHALLENGE_MS = 5 * MINUTE_MS;
const MOST_PASSKEYS = 20;

/** Purpose of a challenge: an answer for one purpose is not accepted for the other. */
type Purpose = "add" | "use";

export interface Passkey {
  id: string;
  name: string;
  /** Unix time in ms. */
  createdAt: number;
  lastUsedAt: number | null;
}

export interface PasskeysOptions {
  db: Db;
  /** Public origin; passkeys belong to its host. */
  baseUrl: string;
  now?: () => number;
}

/** Lazy import: the package is large, and only users of passkeys need it. */
const webAuthentication = () => import("@simplewebauthn/server");

type Owner = Pick<User, "id" | "email" | "name">;
type NewPasskey = (trx: Trx) => Promise<void>;

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Passkeys of users (Web Authentication, https://www.w3.org/TR/webauthn-3/). */
export function createPasskeys({ db, baseUrl, now = Date.now }: PasskeysOptions) {
  const { hostname, origin, protocol } = new URL(baseUrl);
  // Browsers require a secure connection and a host name: no IP address.
  const isPossible = (protocol === "https:" || hostname === "localhost") && !/^[\d.]+$|^\[/.test(hostname);

  return { isPossible, list, optionsToAdd, optionsToUse, checkNew, accepts, deleteExpired };

  async function list(userId: string): Promise<Passkey[]> {
    const rows = await rowsOf(userId);
    return rows.map(({ id, name, created_at, last_used_at }) => ({ id, name, createdAt: created_at, lastUsedAt: last_used_at }));
  }

  /** Options for `navigator.credentials.create`; null if the user already has the maximum of passkeys. */
  async function optionsToAdd({ id, email, name }: Owner) {
    const existing = await rowsOf(id);
    if (existing.length >= MOST_PASSKEYS) return null;
    const { generateRegistrationOptions } = await webAuthentication();
    const options = await generateRegistrationOptions({
      rpName: "Rampe",
      rpID: hostname,
      userID: new TextEncoder().encode(id),
      userName: email,
      userDisplayName: name,
      excludeCredentials: existing.map(credentialOf),
      authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
    });
    await keepChallenge(id, "add", options.challenge);
    return options;
  }

  /** Options for `navigator.credentials.get`; null if the user has no passkey. */
  async function optionsToUse(userId: string) {
    const existing = await rowsOf(userId);
    if (existing.length === 0) return null;
    const { generateAuthenticationOptions } = await webAuthentication();
    const options = await generateAuthenticationOptions({ rpID: hostname, allowCredentials: existing.map(credentialOf), userVerification: "preferred" });
    await keepChallenge(userId, "use", options.challenge);
    return options;
  }

  /**
   * Checks a browser's answer about a new passkey.
   * @param answer JSON of the credential
   * @returns function that stores the passkey; null if it is known, or the answer does not match a current challenge of this user
   */
  async function checkNew(userId: string, answer: string, name: string): Promise<NewPasskey | null> {
    const response = parseRegistration(answer);
    if (!response) return null;
    const { verifyRegistrationResponse } = await webAuthentication();
    const checked = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => takeChallenge(userId, "add", challenge),
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: false,
    }).catch(() => null);
    const credential = checked?.registrationInfo?.credential;
    if (!checked?.verified || !credential) return null;
    if (await db.selectFrom("passkey").select("id").where("id", "=", credential.id).executeTakeFirst()) return null;
    const row = {
      id: credential.id,
      user_id: userId,
      name,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      created_at: now(),
    };
    return async (trx) => void (await trx.insertInto("passkey").values(row).execute());
  }

  /**
   * True if one of the user's passkeys has answered our challenge. Each answer is accepted once.
   * @param answer JSON of the credential
   */
  async function accepts(userId: string, answer: string): Promise<boolean> {
    const response = parseAssertion(answer);
    const row = response && (await rowsOf(userId)).find(({ id }) => id === response.id);
    if (!row) return false;
    const { verifyAuthenticationResponse } = await webAuthentication();
    const checked = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => takeChallenge(userId, "use", challenge),
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential: { ...credentialOf(row), publicKey: Uint8Array.from(Buffer.from(row.public_key, "base64url")), counter: row.counter },
      requireUserVerification: false,
    }).catch(() => null);
    if (!checked?.verified) return false;
    await db.updateTable("passkey").set({ counter: checked.authenticationInfo.newCounter, last_used_at: now() }).where("id", "=", row.id).execute();
    return true;
  }

  async function rowsOf(userId: string) {
    return db.selectFrom("passkey").selectAll().where("user_id", "=", userId).orderBy("created_at").execute();
  }

  async function keepChallenge(userId: string, purpose: Purpose, challenge: string): Promise<void> {
    await db
      .insertInto("passkey_challenge")
      .values({ challenge_hash: hashOf(challenge), user_id: userId, purpose, expires_at: now() + CHALLENGE_MS })
      .execute();
  }

  /** @returns false if the challenge is not a current one of this user, or was used before */
  async function takeChallenge(userId: string, purpose: Purpose, challenge: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("passkey_challenge")
      .where("challenge_hash", "=", hashOf(challenge))
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .where("expires_at", ">", now())
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  async function deleteExpired(): Promise<void> {
    await db.deleteFrom("passkey_challenge").where("expires_at", "<=", now()).execute();
  }
}

const credentialOf = ({ id, transports }: { id: string; transports: string }) => ({ id, transports: JSON.parse(transports) as string[] });
