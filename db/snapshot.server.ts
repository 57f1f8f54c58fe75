import { DEFAULT_MIGRATION_TABLE } from "kysely";
import SQLite from "better-sqlite3";

const OPEN_TIMEOUT_MS = 5_000;
/** Steps of about a megabyte: other work of this process runs between them. */
const PAGES_PER_STEP = 250;

/** State of an SQLite file at one moment, also while others write to it. */
export interface Snapshot {
  /** Names of the applied migrations, the oldest first; none for a database of another program. */
  migrations: string[];
  bytes: number;
  /**
   * Copies the snapshot into a new file, without blocking this process or writers.
   * @param signal aborts the copy; the unfinished file is removed
   */
  copyTo(target: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** @throws if there is no such file */
export function openSnapshot(file: string): Snapshot {
  const database = new SQLite(file, { fileMustExist: true, timeout: OPEN_TIMEOUT_MS });
  try {
    // Open transaction: otherwise, each write of another process would restart the backup.
    database.exec("begin");
    const pages = database.pragma("page_count", { simple: true }) as number;
    return {
      migrations: migrationsOf(database),
      bytes: pages * (database.pragma("page_size", { simple: true }) as number),
      async copyTo(target, signal) {
        await database.backup(target, {
          progress() {
            signal?.throwIfAborted();
            return PAGES_PER_STEP;
          },
        });
      },
      close: () => void database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrationsOf(database: SQLite.Database): string[] {
  // The first read also sets the moment of the snapshot.
  const hasTable = database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(DEFAULT_MIGRATION_TABLE);
  if (!hasTable) return [];
  return database.prepare(`select name from "${DEFAULT_MIGRATION_TABLE}" order by name`).pluck().all() as string[];
}
