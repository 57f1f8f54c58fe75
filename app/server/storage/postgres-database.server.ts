import { appliedOf, migrate, NewerDatabase, pendingOf, refuseNewer } from "db/migrate.server";
import { openPostgres } from "db/postgres.server";
import type { Db } from "db/schema";
import { InvalidSetting, type Env } from "~/platform/env.server";
import type { EventLog } from "~/platform/event-log";
import { productName } from "~/platform/product-name.server";

export interface OpenOptions {
  /** Aborted when this process stops. */
  stopping?: AbortSignal;
  /** Log for updates of the database. */
  log?: EventLog;
}

/** True if `DATABASE_URL` is a PostgreSQL database, false for an SQLite file. */
export const usesPostgres = ({ DATABASE_URL }: Pick<Env, "DATABASE_URL">): boolean => !DATABASE_URL.startsWith("file:");

/** Opens an existing PostgreSQL database, and migrates it to this version. @throws {InvalidSetting} */
export async function openPostgresDatabase(env: Env, { stopping, log = () => {} }: OpenOptions): Promise<Db> {
  const db = await openPostgres(env.DATABASE_URL, { stopping, onError: ({ message }) => log("a connection to the database was lost", { why: message }) });
  try {
    await migrate(db, (progress) => log("the database is still being updated", { ...progress }));
    return db;
  } catch (error) {
    throw await unusable(db, env, error);
  }
}

/** Opens a PostgreSQL database of this version: nothing is migrated. @throws {InvalidSetting} */
export async function openExistingPostgresDatabase(env: Env): Promise<Db> {
  const db = await openPostgres(env.DATABASE_URL);
  try {
    const applied = await appliedOf(db);
    refuseNewer(applied);
    if (applied.length === 0) throw new InvalidSetting(`There is nothing in ${placeOf(env)} yet: DATABASE_URL names another database.`);
    if (pendingOf(applied).length > 0) throw new InvalidSetting(`${sentence(placeOf(env))} is of an older version than ${productName()}: start the new version first, which updates it.`);
    return db;
  } catch (error) {
    throw await unusable(db, env, error);
  }
}

async function unusable(db: Db, env: Env, error: unknown): Promise<InvalidSetting> {
  await db.destroy();
  if (error instanceof InvalidSetting) return error;
  const why = (error as Error).message;
  if (error instanceof NewerDatabase) {
    return new InvalidSetting(`${sentence(placeOf(env))} cannot be used with ${productName()}: ${why}. Start the newer version again, or restore a dump of before the update.`);
  }
  return new InvalidSetting(`DATABASE_URL is unusable: it wants a PostgreSQL database, and ${placeOf(env)} cannot be used (${why}).`);
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Address without user and password, which are secret. */
function placeOf({ DATABASE_URL }: Env): string {
  if (!URL.canParse(DATABASE_URL)) return "its database";
  const { host, pathname } = new URL(DATABASE_URL);
  return `the database ${pathname.slice(1) || "(unnamed)"} of ${host || "this machine"}`;
}
