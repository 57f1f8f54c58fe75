import { createTransport } from "nodemailer";
import type { Mailer, StoredMail } from "./mail";
import { asMessage } from "./message";

const WITHIN_MS = 20_000;

export interface SmtpMailerOptions {
  /** Such as `smtp://user:password@host:587`. */
  url: string;
  from: string;
}

/** Hands mails over to an SMTP server. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: WITHIN_MS,
    greetingTimeout: WITHIN_MS,
    socketTimeout: WITHIN_MS,
  });
  return {
    async deliver(mail: StoredMail) {
      try {
        await transport.sendMail(asMessage(mail, from));
      } catch (error) {
        // 5.x.x is permanent (RFC 5321, 4.2.1), except for errors about the sender: the operator can fix those.
        const { responseCode = 0, command = "" } = error as { responseCode?: number; command?: string };
        const permanent = responseCode >= 500 && /^(RCPT TO|DATA)/.test(command);
        throw Object.assign(error as Error, { permanent });
      }
    },
    close: () => transport.close(),
  };
}
