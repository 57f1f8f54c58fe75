import path from "node:path";
import { restoreFrom } from "~/server/storage/backup.server";
import { noteBeside } from "./audit-log.server";
import { WrongUsage, type Command } from "./command.server";

export const restore: Command = {
  takes: "FILE",
  does: "restores an archive into an empty DATA_DIR, while no server is running",
  async run([file, ...rest], context) {
    const { env, say } = context;
    if (!file || rest.length > 0) throw new WrongUsage();
    const settings = env();
    const { createdAt, version, files, secret } = await restoreFrom(settings, file);
    await noteBeside(context, { action: "backup_restored", details: { file: path.basename(file) } });
    say(`${settings.DATA_DIR} is as it was on ${createdAt} (Rampe ${version}, ${files.length} files). Start the server now.\n`);
    if (secret === "configuration" && !settings.SESSION_SECRET) {
      say("The archive does not hold the secret: set SESSION_SECRET as before, or everybody is signed out.\n");
    }
    return true;
  },
};
