/** Why nothing can be written at the moment, regardless of the data. */
export type StorageTrouble = "locked" | "full" | "unwritable";

/** By the codes of SQLite, the file system, and our own driver (`DatabaseBusy`). */
const TROUBLES: Partial<Record<string, StorageTrouble>> = {
  DATABASE_BUSY: "locked",
  SQLITE_FULL: "full",
  ENOSPC: "full",
  EDQUOT: "full",
  // The disk is broken or over a quota, or the kernel has made it read-only after an error.
  SQLITE_IOERR_WRITE: "unwritable",
  SQLITE_IOERR_FSYNC: "unwritable",
  SQLITE_IOERR_TRUNCATE: "unwritable",
  SQLITE_READONLY: "unwritable",
  EROFS: "unwritable",
  EIO: "unwritable",
};

/** Null for any other error. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  return TROUBLES[String((error as { code?: unknown } | null)?.code)] ?? null;
}
