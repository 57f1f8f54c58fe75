import path from "node:path";
import SQLite from "better-sqlite3";

/** Renames the table of runs while the server is running. */
export function breakDatabase({ dataDir }: { dataDir: string }): void {
  const db = new SQLite(path.join(dataDir, "rampe.db"));
  db.exec("alter table run rename to gone");
  db.close();
}
