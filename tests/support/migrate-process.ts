// Opens and migrates the database named on the command line, as one of several processes that start at once.
import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";

const db = openSqlite(process.argv[2] ?? "");
await migrate(db);
await db.destroy();
