import { copyDatabase, CopyDiffers } from "db/copy-database.server";
import { pendingOf } from "db/migrate.server";
import type { Db } from "db/schema";
import { isDatabaseAddress, type Env } from "~/platform/env.server";
import { migrationsOf, openDatabase, openExistingDatabase } from "~/server/storage/database.server";
import { WrongUsage, type Command } from "./command.server";

/** Placeholder for an address on the standard input: other users of the machine can read arguments, and a password in them. */
const TYPED = "-";
/** Maximum age of an entry of a running server, which writes one every 15 s. */
const SILENT_MS = 20_000;

export const moveDatabase: Command = {
  takes: "FROM TO",
  does: `copies everything from one database into another, which must be empty, and compares it, while no server is running; ${TYPED} reads an address from the standard input`,
  async run(args, { env, say, complain, readLine }) {
    if (args.length !== 2) throw new WrongUsage();
    const typed = args.includes(TYPED) ? await readLine("Address of the database: ") : "";
    const [from = "", to = ""] = args.map((each) => (each === TYPED ? typed : each));
    if (from === to || ![from, to].every(isDatabaseAddress)) throw new WrongUsage();
    const settings = env();
    const original = await openExistingDatabase({ ...settings, DATABASE_URL: from });
    try {
      if (await isInUse(original)) {
        complain("A server is running on the first database: stop it, and try again after 20 seconds.\n");
        return false;
      }
      if (await isOlder({ ...settings, DATABASE_URL: to })) {
        complain("The second database is another installation's: a copy wants an empty one.\n");
        return false;
      }
      return await copied(original, { ...settings, DATABASE_URL: to }, say, complain);
    } finally {
      await original.destroy();
    }
  },
};

async function copied(original: Db, settings: Env, say: (text: string) => void, complain: (text: string) => void): Promise<boolean> {
  const copy = await openDatabase(settings);
  let sum = 0;
  try {
    await copyDatabase(original, copy, (table, rows) => {
      sum += rows;
      if (rows > 0) say(`${table.padEnd(26)}${String(rows).padStart(12)}\n`);
    });
  } catch (error) {
    if (!(error instanceof CopyDiffers)) throw error;
    complain(`${error.message}\n`);
    return false;
  } finally {
    await copy.destroy();
  }
  say(`All ${sum} rows were copied and compared. Set DATABASE_URL to the second database, and start the server; DATA_DIR and STORAGE_URL stay. The first one is as it was.\n`);
  return true;
}

/** True for a database of an older version, which would be updated when it is opened for the copy. */
async function isOlder(settings: Env): Promise<boolean> {
  const applied = await migrationsOf(settings);
  return applied.length > 0 && pendingOf(applied).length > 0;
}

async function isInUse(db: Db, now = Date.now()): Promise<boolean> {
  const entry = await db.selectFrom("probe").select("at").executeTakeFirst();
  return entry !== undefined && Math.abs(now - entry.at) < SILENT_MS;
}
