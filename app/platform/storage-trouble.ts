/** Reason why nothing can be written at the moment, whatever the data. */
export type StorageTrouble = "locked" | "unreachable" | "full" | "unwritable";

/** Reasons by error codes of SQLite, PostgreSQL, the file system, and our own drivers (`DatabaseBusy`, `DatabaseUnreachable`). */
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
  // Disk error or quota, or a file system that the kernel made read-only after an error.
  SQLITE_IOERR_WRITE: "unwritable",
  SQLITE_IOERR_FSYNC: "unwritable",
  SQLITE_IOERR_TRUNCATE: "unwritable",
  SQLITE_READONLY: "unwritable",
  EROFS: "unwritable",
  EIO: "unwritable",
};

/** Reason of an error; null for any other error. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  return TROUBLES[String((error as { code?: unknown } | null)?.code)] ?? null;
}
