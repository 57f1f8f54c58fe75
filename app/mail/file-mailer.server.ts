import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { Mailer, StoredMail } from "./mail";
import { asMessage } from "./message";

/** Long enough to be read, and there are addresses in them. */
const KEPT_MS = 30 * 86_400_000;

export interface FileMailerOptions {
  /** Made when it is first needed, for the server's user alone: there are links in it that open accounts. */
  folder: string;
  from: string;
}

/** Keeps mails as files that any mail program opens; for an installation that sends none. */
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
    async deleteExpired() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((each) => /\.eml(\.part)?$/.test(each))) {
        const file = path.join(folder, name);
        const { mtimeMs } = await stat(file);
        if (mtimeMs < Date.now() - KEPT_MS) await rm(file, { force: true });
      }
    },
    close: () => transport.close(),
  };
}
