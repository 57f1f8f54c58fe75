import type { Db, Trx } from "db/schema";
import { dropLinks } from "./link.server";

/** Access without a new sign-in: sessions, tokens, shared reports, repeated scans. */
export interface AccessGrant {
  kind: "session" | "token" | "share" | "schedule";
  id: string;
  /** Name of a browser or token, or a URL; null for an unknown browser. */
  name: string | null;
  /** Unix time in ms. */
  createdAt: number;
}

/** Current access grants by kind, the latest first. */
export async function accessGrantsOf(db: Db | Trx, userId: string, now = Date.now()): Promise<AccessGrant[]> {
  const sessions = await db
    .selectFrom("session")
    .select(["id_hash as id", "browser as name", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .execute();
  const tokens = await db
    .selectFrom("api_token")
    .select(["id", "name", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy("created_at", "desc")
    .execute();
  const shares = await db
    .selectFrom("share")
    .innerJoin("run", "run.id", "share.run_id")
    .select(["share.id", "run.url as name", "share.created_at as createdAt"])
    .where("run.owner", "=", userId)
    .where("share.expires_at", ">", now)
    .orderBy("share.created_at", "desc")
    .execute();
  const schedules = await db
    .selectFrom("schedule")
    .select(["id", "url as name", "created_at as createdAt"])
    .where("owner", "=", userId)
    .orderBy("created_at", "desc")
    .execute();
  return [
    ...sessions.map((row) => ({ kind: "session" as const, ...row })),
    ...tokens.map((row) => ({ kind: "token" as const, ...row })),
    ...shares.map((row) => ({ kind: "share" as const, ...row })),
    ...schedules.map((row) => ({ kind: "schedule" as const, ...row })),
  ];
}

/** Ends all access to an account except one session: sessions, unfinished sign-ins, links in mails, known browsers. */
export async function endAccess(trx: Trx, userId: string, exceptSession = ""): Promise<void> {
  await dropLinks(trx, userId);
  await endSessions(trx, userId, exceptSession);
}

/** Ends all sessions of a user except one; deletes unfinished sign-ins and known browsers. */
export async function endSessions(trx: Trx, userId: string, exceptSession = ""): Promise<void> {
  await trx.deleteFrom("known_browser").where("user_id", "=", userId).execute();
  await trx.deleteFrom("pending_sign_in").where("user_id", "=", userId).execute();
  await trx.deleteFrom("session").where("user_id", "=", userId).where("id_hash", "!=", exceptSession).execute();
}

export async function endTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("api_token").where("user_id", "=", userId).execute();
}

export async function endSharesAndSchedules(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("schedule").where("owner", "=", userId).execute();
  const runs = trx.selectFrom("run").select("id").where("owner", "=", userId);
  await trx.deleteFrom("share").where("run_id", "in", runs).execute();
}

/** @param kept ids of the grants to keep @returns the ended grants */
export async function endAccessGrants(trx: Trx, userId: string, kept: string[]): Promise<AccessGrant[]> {
  const ending = (await accessGrantsOf(trx, userId)).filter(({ id }) => !kept.includes(id));
  for (const { kind, id } of ending) {
    if (kind === "session") await trx.deleteFrom("session").where("id_hash", "=", id).execute();
    else await trx.deleteFrom(TABLES[kind]).where("id", "=", id).execute();
  }
  await dropLinks(trx, userId);
  await trx.deleteFrom("known_browser").where("user_id", "=", userId).execute();
  return ending;
}

const TABLES = { token: "api_token", share: "share", schedule: "schedule" } as const;
