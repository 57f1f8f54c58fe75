import path from "node:path";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import type { Env } from "~/platform/env.server";
import { messageOf } from "~/server/checks/check.server";
import { restoreFrom } from "~/server/storage/backup.server";
import { databaseFile } from "~/server/storage/database.server";
import { forgetStore } from "~/server/storage/object-storage.server";
import { noteBeside } from "./audit-log.server";
import { WrongUsage, type Command } from "./command.server";
import { interruptible } from "./interruptible.server";

export const restore: Command = {
  takes: "FILE",
  does: "restores an archive into an empty DATA_DIR, while no server is running",
  async run([file, ...rest], context) {
    const { env, say } = context;
    if (!file || rest.length > 0) throw new WrongUsage();
    const settings = env();
    const { createdAt, version, files, secret } = await interruptible(async (signal) => {
      const manifest = await restoreFrom(settings, file, signal);
      await inDatabase(settings, forgetStore).catch((error: unknown) => context.complain(`The mark of the object store could not be removed: never start this database with the STORAGE_URL of the original. ${messageOf(error)}\n`));
      return manifest;
    }, "Interrupted: nothing was restored.");
    await noteBeside(context, { action: "backup_restored", details: { file: path.basename(file) } });
    say(`${settings.DATA_DIR} is as it was on ${createdAt} (Rampe ${version}, ${files.length} files). Start the server now.\n`);
    say("For a trial beside the original, start it without SMTP_URL, STRIPE_*, BACKUP_DIR and STORAGE_URL: it does whatever the original does.\n");
    if (secret === "configuration" && !settings.SESSION_SECRET) {
      say("The archive does not hold the secret: set SESSION_SECRET as before, or everybody is signed out.\n");
    }
    return true;
  },
};

/** Opens the database without migrations, also one of an older version: the next start updates it. */
async function inDatabase(env: Env, work: (db: Db) => Promise<void>): Promise<void> {
  const db = openSqlite(databaseFile(env));
  await work(db).finally(() => db.destroy());
}
