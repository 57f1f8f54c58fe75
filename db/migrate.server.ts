import { DEFAULT_MIGRATION_TABLE, Migrator, sql, type Migration } from "kysely";
import { isPostgres } from "./dialect";
import { migrations } from "./migrations/index";
import { postgresSchema } from "./postgres-schema";
import type { Db } from "./schema";

/** Time limit of silent migrations; longer ones report their progress. */
const QUICK_MS = 3_000;

/** Error: the database was written by a newer version. */
export class NewerDatabase extends Error {
  override name = "NewerDatabase";

  /** @param names names of the migrations that this version does not know */
  constructor(names: string[]) {
    super(`it was written by a newer version, which this one cannot read: ${names.join(", ")}`);
  }
}

export interface MigrationProgress {
  /** Name of the migration that begins now. */
  migration: string;
  done: number;
  of: number;
}

/**
 * Updates the schema: all missing migrations or none. Idempotent, and safe in two processes at once.
 * @param onProgress called before each migration, after the first seconds
 * @throws {NewerDatabase} or the error of a migration
 */
export async function migrate(db: Db, onProgress: (progress: MigrationProgress) => void = () => {}): Promise<void> {
  const applied = await appliedOf(db);
  refuseNewer(applied);
  const target = isPostgres(db) ? db.withPlugin(postgresSchema()) : db;
  const migrator = new Migrator({ db: target, migrationTableSchema: await schemaOf(db), provider: { getMigrations: () => Promise.resolve(watched(pendingOf(applied), onProgress)) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Migrations that this version does not know. @param applied names of the migrations of a database */
export const newerOf = (applied: string[]): string[] => applied.filter((name) => !Object.hasOwn(migrations, name));

/** @param applied names of the migrations of a database @throws {NewerDatabase} */
export function refuseNewer(applied: string[]): void {
  const newer = newerOf(applied);
  if (newer.length > 0) throw new NewerDatabase(newer);
}

/** Missing migrations. @param applied names of the migrations of a database */
export const pendingOf = (applied: string[]): string[] => Object.keys(migrations).filter((name) => !applied.includes(name));

function watched(pending: string[], onProgress: (progress: MigrationProgress) => void): Record<string, Migration> {
  const began = Date.now();
  const watch = (name: string, migration: Migration): Migration => ({
    ...migration,
    async up(db) {
      if (Date.now() - began >= QUICK_MS) onProgress({ migration: name, done: pending.indexOf(name), of: pending.length });
      // No time limit: a migration of a large table is slow.
      if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db);
      await migration.up(db);
    },
  });
  return Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, watch(name, migration)]));
}

/** Schema for new tables; undefined in SQLite, which has no schemas. Other programs may have tables with the same names in other schemas. */
async function schemaOf(db: Db): Promise<string | undefined> {
  if (!isPostgres(db)) return undefined;
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  return rows[0]?.schema;
}

/** Names of the applied migrations; none for a new database. */
export async function appliedOf(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const own = await schemaOf(db);
  if (!tables.some(({ name, schema }) => name === DEFAULT_MIGRATION_TABLE && schema === own)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}
