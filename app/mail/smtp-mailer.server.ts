import { createTransport } from "nodemailer";
import type { Mailer, StoredMail } from "./mail";
import { asMessage } from "./message";

const WITHIN_MS = 20_000;

export interface SmtpMailerOptions {
  /** Address such as `smtp://user:password@host:587`. */
  url: string;
  from: string;
}

interface SmtpError extends Error {
  /** Refused command. */
  command?: string;
  /** Server's reply, such as `550 5.1.1 No such user`. */
  response?: string;
}

/** Mailer for an SMTP server. */
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
 * True for a permanent refusal: only one about the recipient's mailbox. Errors about the sender, the sign-in or this machine can also
 * be replies to `RCPT TO` (Postfix, `smtpd_delay_reject`): the operator can fix those. See RFC 3463 for the enhanced status.
 */
function isAboutMailbox({ command = "", response = "" }: SmtpError): boolean {
  const [, code = "", status] = /^(5\d\d)(?:[ -](5\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  if (code === "" || !/^(RCPT TO|DATA)/.test(command)) return false;
  if (status === undefined) return ["550", "551", "553"].includes(code) && !/sender|relay|auth|not permitted/i.test(response);
  // 5.1.7, 5.1.8, and Postfix's 5.1.0 are about the sender's address.
  return /^5\.[12]\./.test(status) && !["5.1.0", "5.1.7", "5.1.8"].includes(status);
}
