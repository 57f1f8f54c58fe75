/** Why nothing can be written at the moment, regardless of the data. */
export type StorageTrouble = "locked" | "unreachable" | "full" | "unwritable";

/** By the codes of SQLite, PostgreSQL, the file system, and our own drivers (`DatabaseBusy`, `DatabaseUnreachable`). */
const TROUBLES: Partial<Record<string, StorageTrouble>> = {
  DATABASE_BUSY: "locked",
  DATABASE_UNREACHABLE: "unreachable",
  SQLITE_FULL: "full",
  // PostgreSQL: `disk_full`, `io_error`, `read_only_sql_transaction`
  "53100": "full",
  "58030": "unwritable",
  "25006": "unwritable",
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
