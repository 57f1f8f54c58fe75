/** Why nothing can be written at this moment, through no fault of what was to be written. */
export type StorageTrouble = "locked" | "full";

/** By the codes of SQLite, the file system, and our own driver (`DatabaseBusy`). */
const TROUBLES: Partial<Record<string, StorageTrouble>> = {
  DATABASE_BUSY: "locked",
  SQLITE_FULL: "full",
  // What quotas and limits of the system lead to.
  SQLITE_IOERR_WRITE: "full",
  ENOSPC: "full",
  EDQUOT: "full",
};

/** Null for any other error. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  return TROUBLES[String((error as { code?: unknown } | null)?.code)] ?? null;
}
