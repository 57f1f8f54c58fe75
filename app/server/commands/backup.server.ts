import path from "node:path";
import { messageOf } from "~/server/checks/check.server";
import { backupInto, backupTo } from "~/server/storage/backup.server";
import { noteBeside } from "./audit-log.server";
import { WrongUsage, type Command } from "./command.server";
import { interruptible } from "./interruptible.server";

export const backup: Command = {
  takes: "FILE | --to FOLDER",
  does: "writes everything into one archive, also while the server is running; a folder keeps the newest (BACKUP_KEEP)",
  async run(args, context) {
    const { env, say } = context;
    const [first, second] = args;
    const isFolder = first === "--to";
    if (!first || args.length !== (isFolder ? 2 : 1) || (!isFolder && first.startsWith("-"))) throw new WrongUsage();
    const settings = env();
    const { file, manifest, rotationError } = await interruptible(
      async (signal) => (isFolder ? backupInto(settings, second ?? "", signal) : { file: first, manifest: await backupTo(settings, first, signal), rotationError: undefined }),
      "Interrupted: no archive was made.",
    );
    await noteBeside(context, { action: "backup_made", details: { file: path.basename(file) } });
    say(`${file} holds ${manifest.files.length} files of ${settings.DATA_DIR}.\n`);
    if (manifest.secret === "configuration") say("It does not hold SESSION_SECRET: keep that as well.\n");
    if (settings.STORAGE_URL) say("It does not hold the pictures in STORAGE_URL: back them up as well.\n");
    if (!settings.BACKUP_KEY_FILE) say("It is not encrypted, and whoever has it can read everything: keep it safe, or set BACKUP_KEY_FILE.\n");
    if (rotationError) say(`Old archives could not be deleted: ${messageOf(rotationError)}\n`);
    return !rotationError;
  },
};
