import { expect, onTestFinished, test } from "vitest";
import { createSmtpMailer } from "~/mail/smtp-mailer.server";
import { startSmtp } from "../../doubles/smtp";

const MAIL = { id: "abc", to: "anna@example.org", subject: "Hello", text: "Hello", createdAt: Date.UTC(2026, 0, 2), attempts: 1 };

/** Delivers a mail to a server that refuses its recipient. @returns whether further attempts are useless */
async function isFinal(code: number, text: string, url = (given: string) => given): Promise<boolean | undefined> {
  const smtp = await startSmtp();
  onTestFinished(() => smtp.close());
  smtp.refuseWith = { code, text };
  const mailer = createSmtpMailer({ url: url(smtp.url), from: "Rampe <post@rampe.example>" });
  onTestFinished(() => mailer.close());
  return mailer.deliver(MAIL).then(() => undefined, (error: { permanent?: boolean }) => error.permanent);
}

test.each([
  [550, "no such user"],
  [551, "User not local"],
  [553, "mailbox name not allowed"],
  [550, "5.1.1 <anna@example.org>: Recipient address rejected: User unknown"],
  [554, "5.2.1 mailbox disabled"],
])("a mail to a mailbox that does not exist is given up (%i %s)", async (code, text) => expect(await isFinal(code, text)).toBe(true));

test.each([
  [554, "5.7.1 <anna@example.org>: Relay access denied"],
  [553, "5.7.1 <post@rampe.example>: Sender address rejected: not owned by user"],
  [550, "5.1.0 <post@rampe.example>: Sender address rejected: User unknown"],
  [550, "relay not permitted"],
  [550, "Sender verify failed"],
  [550, "5.1.8 <post@rampe.example>: Sender address rejected: Domain not found"],
  [554, "Client host rejected: Access denied"],
  [530, "5.7.0 Must issue a STARTTLS command first"],
  [451, "try again later"],
  [450, "4.1.1 unknown for now"],
])("a mail that the operator can still have sent is not (%i %s)", async (code, text) => expect(await isFinal(code, text)).toBe(false));

test("a wrong password gives no mail up", async () => {
  expect(await isFinal(550, "no such user", (url) => url.replace("geheim", "falsch"))).toBe(false);
});
