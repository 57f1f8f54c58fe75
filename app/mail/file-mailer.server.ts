import { mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import { DAY_MS } from "~/platform/durations";
import { removeOlder } from "~/platform/file-safety.server";
import type { Mailer, StoredMail } from "./mail";
import { asMessage } from "./message";

/** Time for which mails are kept: enough to read them, but not longer, because they contain addresses. */
const KEPT_MS = 30 * DAY_MS;

export interface FileMailerOptions {
  /** Folder, created on first use and readable by the server's user only: mails contain links that open accounts. */
  folder: string;
  from: string;
}

/** Mailer that stores mails as files for any mail program, in an installation that sends no mails. */
export function createFileMailer({ folder, from }: FileMailerOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async deliver(mail: StoredMail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { message } = await transport.sendMail(asMessage(mail, from));
      const time = new Date(mail.createdAt).toISOString().replaceAll(/[:.]/g, "-");
      const file = path.join(folder, `${time}-${mail.id}.eml`);
      const draft = await open(`${file}.part`, "w", 0o600);
      try {
        await draft.writeFile(message as Buffer);
        await draft.sync();
      } finally {
        await draft.close();
      }
      await rename(`${file}.part`, file);
    },
    close: () => transport.close(),
  };
}

/** Deletes mails in a folder that are older than a month, also in an installation that now sends its mails. */
export async function deleteOldMailFiles(folder: string, now = Date.now()): Promise<void> {
  await removeOlder(folder, (name) => /\.eml(\.part)?$/.test(name), now - KEPT_MS);
}
