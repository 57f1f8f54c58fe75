/** Why nothing can be written at the moment, regardless of the data. */
export type StorageTrouble = "locked" | "full";

/** By the codes of SQLite, the file system, and our own driver (`DatabaseBusy`). */
const TROUBLES: Partial<Record<string, StorageTrouble>> = {
  DATABASE_BUSY: "locked",
  SQLITE_FULL: "full",
  // Result of quotas and limits of the system.
  SQLITE_IOERR_WRITE: "full",
  ENOSPC: "full",
  EDQUOT: "full",
};

/** Null for any other error. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  return TROUBLES[String((error as { code?: unknown } | null)?.code)] ?? null;
}
