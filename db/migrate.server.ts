import { DEFAULT_MIGRATION_TABLE, Migrator, sql } from "kysely";
import { migrations } from "./migrations/index";
import type { Db } from "./schema";

/**
 * Brings the schema up to date: all missing migrations or none. Idempotent, and safe in two processes at once.
 * @throws the error of a migration, or if a newer version wrote the database.
 */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const newer = (await appliedOf(db)).filter((name) => !(name in migrations));
  if (newer.length > 0) throw new Error(`it was written by a newer version, which this one cannot read: ${newer.join(", ")}`);
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Names of the migrations applied to a database. */
async function appliedOf(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}
