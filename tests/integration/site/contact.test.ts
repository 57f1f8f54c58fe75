import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Locale } from "~/platform/i18n/i18n";
import german from "locales/de/contact.json";
import english from "locales/en/contact.json";
import { newMember, visitorOf } from "../../support/accounts/accounts";
import { mailsTo } from "../../support/servers/outbox";
import { startServer, type TestServer } from "../../support/servers/server";
import { breakTable } from "../../support/database/server-database";
import { startSmtp } from "../../doubles/smtp";

const OPERATOR = "office@example.org";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ browser: false, env: { TRUST_PROXY: "1", CONTACT_TO: OPERATOR, OPERATOR_EMAIL: "public@example.org" } });
});
afterAll(() => server.stop());

const visitor = (at = server, language: Locale = "de") => visitorOf(at, { language });

let count = 0;
/** Unique message. */
function letter() {
  count += 1;
  return { email: `ada${count}@example.org`, subject: `Frage ${count}`, message: `Guten Tag,\r\n\r\nFrage ${count}?`, homepage: "" };
}

async function stored(at: TestServer, email: string) {
  const db = await at.database();
  return db.selectFrom("message").select(["subject", "text", "locale"]).where("email", "=", email).execute();
}

test("a message is stored and mailed to the operator, and the visitor sees a confirmation", async () => {
  const browser = visitor();
  const { email, subject, ...rest } = letter();
  const answer = await browser.post("/contact", { email, subject, ...rest });
  expect(answer.status).toBe(303);
  expect(answer.location).toBe("/contact?sent");
  const page = await browser.get(answer.location ?? "");
  expect(page.text).toContain(german.sent.heading);
  expect(page.text).not.toContain(german.nobody);
  expect(await stored(server, email)).toEqual([{ subject, text: `Guten Tag,\n\n${subject}?`, locale: "de" }]);
  const received = () => mailsTo(server.dataDir, OPERATOR).find((mail) => mail.text.includes(email));
  await expect.poll(received).toMatchObject({ subject: `Rampe: ${subject}` });
  expect(received()?.text).toContain(`Guten Tag,`);
});

test("a form sent twice is one message", async () => {
  const browser = visitor();
  const fields = letter();
  const answers = await Promise.all([browser.post("/contact", fields), browser.post("/contact", fields)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(await stored(server, fields.email)).toHaveLength(1);
});

test("missing or invalid fields are answered with 422, links to the fields, and the typed values", async () => {
  for (const [language, { problem }] of [["de", german], ["en", english]] as const) {
    const message = `Zeile eins\r\n<script>alert(1)</script> ${"x".repeat(5_000)}`;
    const answer = await visitor(server, language).post("/contact", { email: "ada@", subject: "", message });
    expect(answer.status).toBe(422);
    for (const [field, text] of [["email", problem.email_invalid], ["subject", problem.subject_missing], ["message", problem.message_long]]) {
      expect(answer.text).toContain(`<a href="#${field}">${text}</a>`);
      expect(answer.text).toContain(`aria-describedby="${field}-error`);
    }
    expect(answer.text).toContain(`value="ada@"`);
    expect(answer.text).toContain(`Zeile eins`);
    expect(answer.text).toContain(`&lt;script&gt;alert(1)&lt;/script&gt; ${"x".repeat(5_000)}</textarea>`);
    expect(answer.text).not.toContain("<script>alert(1)");
  }
});

test("a filled-in honeypot stops a message, and a person can correct it", async () => {
  const browser = visitor();
  const fields = letter();
  expect((await browser.get("/contact")).text).toMatch(/<div class="honeypot" aria-hidden="true">.*?<input[^>]*tabindex="-1"/i);
  const refused = await browser.post("/contact", { ...fields, homepage: "https://cheap.example" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(german.problem.honeypot);
  expect(refused.text).not.toContain('class="honeypot"');
  expect(await stored(server, fields.email)).toEqual([]);
  expect((await browser.post("/contact", fields)).status).toBe(303);
  expect(await stored(server, fields.email)).toHaveLength(1);
});

test("a sender over the rate limit sees when to continue, with the typed text; other senders are not affected", async () => {
  const browser = visitor();
  for (let sent = 0; sent < 20; sent += 1) expect((await browser.post("/contact", letter())).status).toBe(303);
  const fields = letter();
  const refusal = await browser.post("/contact", fields);
  expect(refusal.status).toBe(429);
  expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(3_000);
  expect(refusal.text).toContain(german.throttled.heading);
  expect(refusal.text).toContain(`value="${fields.email}"`);
  expect(await stored(server, fields.email)).toEqual([]);
  expect((await visitor().post("/contact", fields)).status).toBe(303);
});

test("if a message cannot be stored, the visitor sees an error in either language, with the typed text", async () => {
  const broken = await startServer({ browser: false, env: { CONTACT_TO: OPERATOR } });
  try {
    await breakTable(broken, "message");
    const said = { de: "Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.", en: "An error occurred while sending your message. Please try again later." };
    for (const [language, text] of Object.entries(said) as [Locale, string][]) {
      const fields = letter();
      const answer = await visitor(broken, language).post("/contact", fields);
      expect(answer.status).toBe(500);
      expect(answer.text).toContain(text);
      expect(answer.text).toContain(`value="${fields.subject}"`);
      expect(answer.text).toContain(`${fields.subject}?</textarea>`);
    }
  } finally {
    await broken.stop();
  }
});

test("messages are accepted and wait while the mail server is down", async () => {
  const smtp = await startSmtp();
  smtp.refuseWith = { code: 451, text: "try again later" };
  const down = await startServer({ browser: false, env: { SMTP_URL: smtp.url, CONTACT_TO: OPERATOR } });
  try {
    const fields = letter();
    expect((await visitor(down).post("/contact", fields)).status).toBe(303);
    const waiting = async () => (await down.database()).selectFrom("mail").select(["attempts", "error", "given_up_at"]).executeTakeFirst();
    await expect.poll(waiting).toMatchObject({ attempts: 1, given_up_at: null, error: /try again later/ });
    expect(await stored(down, fields.email)).toHaveLength(1);
    expect(smtp.received).toEqual([]);
  } finally {
    await down.stop();
    await smtp.close();
  }
});

test("without a recipient, the page says so, and messages wait until there is one", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-contact-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const fields = letter();

  const nobody = await startServer({ browser: false, dataDir });
  const browser = visitor(nobody);
  expect((await browser.get("/contact")).text).toContain(german.nobody);
  const answer = await browser.post("/contact", fields);
  expect((await browser.get(answer.location ?? "")).text).toContain(german.nobody);
  expect(await stored(nobody, fields.email)).toHaveLength(1);
  expect(mailsTo(dataDir, OPERATOR)).toEqual([]);
  await nobody.stop();

  const named = await startServer({ browser: false, dataDir, env: { CONTACT_TO: OPERATOR } });
  await expect.poll(() => mailsTo(dataDir, OPERATOR).length).toBe(1);
  await named.stop();
});

test("the form contains the signed-in user's address, and the topic of the link", async () => {
  const browser = await newMember(server);
  const page = await browser.get("/contact?topic=enterprise");
  expect(page.text).toContain(`value="${browser.person.email}"`);
  expect(page.text).toContain(`value="${german.topic.enterprise.subject}"`);
  const failed = await visitor(server, "en").get("/kontakt?topic=scan-failed&url=https%3A%2F%2Fexample.org%2F");
  expect(failed.text).toContain(`value="${english.topic["scan-failed"].subject}"`);
  const billing = await visitor(server, "en").get("/contact?topic=billing");
  expect(billing.text).toContain(`value="${english.topic.billing.subject}"`);
  expect(failed.text).toContain("Address: https://example.org/");
});
