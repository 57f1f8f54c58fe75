import { afterEach, beforeEach, expect, test } from "vitest";
import { startSmtp, type SmtpDouble } from "../../doubles/smtp";
import { register, newPerson, visitorOf } from "../../support/accounts/accounts";
import { startServer, type TestServer } from "../../support/servers/server";

let smtp: SmtpDouble;
let server: TestServer;

beforeEach(async () => {
  smtp = await startSmtp();
  const env = { SMTP_URL: smtp.url, MAIL_FROM: "Rampe <post@rampe.example>", BASE_URL: "http://rampe.example" };
  server = await startServer({ browser: false, env });
});

afterEach(async () => {
  await server.stop();
  await smtp.close();
});

const registerWith = (email: string) => register(visitorOf(server), newPerson({ name: "Ada\r\nBcc: all@example.org", email }));

async function waitingMails() {
  const db = await server.database();
  return db.selectFrom("mail").select(["attempts", "run_at", "given_up_at", "error"]).execute();
}

test("a mail is delivered to the mail server in the reader's language, then deleted", async () => {
  const answer = await registerWith("ada@bücher.example");
  expect(answer.status).toBe(303);
  await expect.poll(() => smtp.received.length).toBe(1);
  const [{ from, message } = { from: "", message: "" }] = smtp.received;
  expect(from).toBe("post@rampe.example");
  expect(message).toMatch(/^To: ada@xn--bcher-kva\.example$/m);
  expect(message).toMatch(/^From: Rampe <post@rampe\.example>$/m);
  expect(message).toMatch(/^Message-ID: <[\w-]+@rampe\.example>$/m);
  expect(message).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(message).toContain("http://rampe.example/account/verify?token=3D");
  expect(message).not.toContain("Bcc");
  await expect.poll(waitingMails).toEqual([]);
  expect((await visitorOf(server).get(answer.location ?? "")).text).not.toContain("verschickt keine E-Mails");
});

test("a busy mail server is retried later; a refused address is not", async () => {
  smtp.refuseWith = { code: 451, text: "try again later" };
  await registerWith("ada@example.org");
  await expect.poll(async () => (await waitingMails())[0]?.error).toContain("try again later");
  const [busy] = await waitingMails();
  expect(busy).toMatchObject({ attempts: 1, given_up_at: null });
  expect(busy?.run_at).toBeGreaterThan(Date.now());

  smtp.refuseWith = { code: 550, text: "no such user" };
  await registerWith("nobody@example.org");
  await expect.poll(async () => (await waitingMails()).filter((mail) => mail.given_up_at !== null).length).toBe(1);
  expect(smtp.attempts()).toBe(2);
});
