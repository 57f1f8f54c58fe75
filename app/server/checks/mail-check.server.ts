import { randomId } from "~/platform/crypto/tokens.server";
import { DEFAULT_LOCALE } from "~/platform/i18n/i18n";
import type { Env } from "~/platform/env.server";
import { writeLetter } from "~/mail/letters.server";
import { mailerOf } from "~/server/accounts/identity.server";
import { failed, messageOf, notSet, ok, type CheckResult } from "./check.server";

/** Sends a mail. @param address recipient instead of the operator */
export async function checkMail(env: Env, address?: string): Promise<CheckResult> {
  const to = address ?? env.CONTACT_TO ?? env.OPERATOR_EMAIL;
  if (!env.SMTP_URL) return notSet("SMTP_URL: mails are kept as files");
  if (!to) return failed("set CONTACT_TO, or say with --to ADDRESS where a mail may go");
  const mailer = mailerOf(env);
  const letter = writeLetter("mail_check", DEFAULT_LOCALE, { host: new URL(env.BASE_URL).host });
  try {
    await mailer.deliver({ id: randomId(), to, ...letter, createdAt: Date.now(), attempts: 1 });
    return ok(`a mail was sent to ${to}: look whether it arrives`);
  } catch (error) {
    return failed(`${adviceFor(error)} (${messageOf(error)})`);
  } finally {
    mailer.close();
  }
}

function adviceFor(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code === "EAUTH") return "the mail server refuses user and password of SMTP_URL: correct them";
  if (responseCode) return "the mail server refuses the mail: see whether MAIL_FROM and the recipient are right";
  return "the mail server does not answer: see whether host, port and smtp or smtps of SMTP_URL are right, and whether a firewall is in the way";
}
