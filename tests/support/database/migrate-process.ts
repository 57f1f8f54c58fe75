// Opens and migrates the SQLite file named on the command line; several such processes start at the same time.
import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";

const db = openSqlite(process.argv[2] ?? "");
await migrate(db);
await db.destroy();
