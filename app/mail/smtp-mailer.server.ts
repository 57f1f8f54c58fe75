import { createTransport } from "nodemailer";
import type { Mailer, StoredMail } from "./mail";
import { asMessage } from "./message";

const WITHIN_MS = 20_000;

export interface SmtpMailerOptions {
  /** Such as `smtp://user:password@host:587`. */
  url: string;
  from: string;
}

interface SmtpError extends Error {
  /** The command that was refused. */
  command?: string;
  /** The server's reply, such as `550 5.1.1 No such user`. */
  response?: string;
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
        throw Object.assign(error as Error, { permanent: isAboutMailbox(error as SmtpError) });
      }
    },
    close: () => transport.close(),
  };
}

/**
 * Is a refusal permanent? Only one about the recipient's mailbox is. Errors about the sender, the sign-in or this machine may come as a
 * reply to `RCPT TO` as well (Postfix, `smtpd_delay_reject`): the operator can fix those. See RFC 3463 for the enhanced status.
 */
function isAboutMailbox({ command = "", response = "" }: SmtpError): boolean {
  const [, code = "", status] = /^(5\d\d)(?:[ -](5\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  if (code === "" || !/^(RCPT TO|DATA)/.test(command)) return false;
  if (status === undefined) return ["550", "551", "553"].includes(code) && !/sender|relay|auth|not permitted/i.test(response);
  // 5.1.7 and 5.1.8 are about the sender's address, and so is 5.1.0 of Postfix.
  return /^5\.[12]\./.test(status) && !["5.1.0", "5.1.7", "5.1.8"].includes(status);
}
