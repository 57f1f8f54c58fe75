import { Migrator } from "kysely";
import { migrations } from "./migrations/index";
import type { Db } from "./schema";

/**
 * Brings the schema up to date: all missing migrations or none. Safe to run again, and by two processes at once.
 * @throws what went wrong, or that the database was written by a newer version.
 */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
