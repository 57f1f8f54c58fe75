import { describe, expect, it } from "vitest";
import type { Db } from "db/schema";
import { contactSchema } from "~/site/contact/form.server";
import { parseForm } from "~/platform/forms/parse-form";
import { writeContactLetter } from "~/site/contact/letter.server";
import { topicOf } from "~/site/contact/topics";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createMails } from "~/mail/outbox.server";
import { createMessages, type Message } from "~/site/contact/message.server";
import { freshDatabase } from "../../support/database/database";

const DAY_MS = 86_400_000;
const GOOD = { email: "ada@example.org", subject: "Eine Frage", message: "Guten Tag,\r\nwie geht das?" };
const MESSAGE: Message = { email: "ada@example.org", subject: "Eine Frage", text: "Wie geht das?", locale: "de" };

function read(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return parseForm(form, contactSchema);
}

describe("the contact form", () => {
  it("keeps the message with its line breaks", () => {
    const { value } = read({ ...GOOD, homepage: "" });
    expect(value).toEqual({ ...GOOD, message: "Guten Tag,\nwie geht das?" });
  });

  it("names all missing fields at once, in their order", () => {
    expect(Object.entries(read({}).problems)).toEqual([
      ["email", "email_missing"],
      ["subject", "subject_missing"],
      ["message", "message_missing"],
    ]);
  });

  it.each([
    ["an invalid address", { email: "ada@" }, "email_invalid"],
    ["a subject of spaces", { subject: " \u200b " }, "subject_missing"],
    ["a subject that is too long", { subject: "x".repeat(151) }, "subject_long"],
    ["a message of spaces", { message: " \r\n " }, "message_missing"],
    ["a message that is too long", { message: "x".repeat(5_001) }, "message_long"],
    ["a filled honeypot", { homepage: "https://cheap.example" }, "honeypot"],
  ])("refuses %s", (_what, fields, problem) => {
    const { value, problems } = read({ ...GOOD, homepage: "", ...fields });
    expect(value).toBeNull();
    expect(Object.entries(problems)).toEqual([[Object.keys(fields)[0], problem]]);
  });

  it("counts an emoji as one character, and a line break too", () => {
    expect(read({ ...GOOD, subject: "😀".repeat(150), message: "a\r\n".repeat(2_500) }).problems).toEqual({});
  });

  it("is filled in for known topics, and for web addresses only", () => {
    const topic = (query: string) => topicOf(new URLSearchParams(query));
    expect(topic("topic=enterprise")).toEqual({ topic: "enterprise", url: "" });
    expect(topic("topic=scan-failed&url=https://example.org/a b")).toEqual({ topic: "scan-failed", url: "https://example.org/a%20b" });
    expect(topic("topic=none&url=javascript:alert(1)")).toEqual({ topic: null, url: "" });
    expect(topic("url=https://ada:secret@example.org/")).toEqual({ topic: null, url: "" });
  });
});

describe("a message to the operator", () => {
  const model = (db: Db, to: string | null = "office@example.org") =>
    createMessages({ db, mails: outbox(db), write: writeContactLetter, to });
  const outbox = (db: Db) => createMails({ db, box: createSecretBox(["a secret"]) });
  const stored = (db: Db) => db.selectFrom("message").selectAll().execute();

  it("is stored, and mailed with the sender's address", async () => {
    const db = await freshDatabase();
    await model(db).receive(MESSAGE);
    expect(await stored(db)).toMatchObject([MESSAGE]);
    const mail = await outbox(db).take();
    expect(mail).toMatchObject({ to: "office@example.org", subject: "Rampe: Eine Frage" });
    expect(mail?.text).toContain("Von: ada@example.org\n");
    expect(mail?.text).toMatch(/\n\nWie geht das\?\n$/);
  });

  it("is stored together with its mail, or not at all", async () => {
    const db = await freshDatabase();
    const mails = { post: () => Promise.reject(new Error("disk full")) };
    const messages = createMessages({ db, mails, write: writeContactLetter, to: "office@example.org" });
    await expect(messages.receive(MESSAGE)).rejects.toThrow("disk full");
    expect(await stored(db)).toEqual([]);
  });

  it("is stored once after a double click, and twice when sent twice on purpose", async () => {
    const db = await freshDatabase();
    const messages = model(db);
    const now = Date.now();
    await messages.receive(MESSAGE, now);
    await messages.receive(MESSAGE, now + 1_000);
    expect(await stored(db)).toHaveLength(1);
    await messages.receive({ ...MESSAGE, text: "Noch etwas" }, now + 1_000);
    await messages.receive(MESSAGE, now + DAY_MS);
    expect(await stored(db)).toHaveLength(3);
  });

  it("waits while there is no recipient, and is mailed once when there is one", async () => {
    const db = await freshDatabase();
    const nobody = model(db, null);
    expect(nobody.hasReader).toBe(false);
    await nobody.receive(MESSAGE);
    await nobody.postWaiting();
    expect(await outbox(db).take()).toBeNull();
    await model(db).postWaiting();
    await model(db).postWaiting();
    expect(await outbox(db).take()).toMatchObject({ to: "office@example.org", subject: "Rampe: Eine Frage" });
    expect(await outbox(db).take()).toBeNull();
  });

  it("is deleted after the number of days that the pages promise", async () => {
    const db = await freshDatabase();
    const messages = model(db);
    const now = Date.now();
    await messages.receive(MESSAGE, now);
    await messages.deleteExpired(now + messages.keptDays * DAY_MS - 1);
    expect(await stored(db)).toHaveLength(1);
    await messages.deleteExpired(now + messages.keptDays * DAY_MS);
    expect(await stored(db)).toEqual([]);
  });
});
