import { expect, test } from "vitest";
import type { Db } from "db/schema";
import { createUsers } from "~/accounts/user.server";
import { createAdministrators } from "~/administration/administrators.server";
import { auditCsv } from "~/administration/audit-csv.server";
import { AUDIT_ACTIONS, COMMAND_LINE, createAuditLog, noteAudit } from "~/administration/audit-log.server";
import { createPeople } from "~/administration/people.server";
import { LOCALES } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import { freshDatabase } from "../support/database";

const DAY_MS = 86_400_000;

async function personIn(db: Db, name: string) {
  return createUsers({ db }).recognise({ subject: `auth0|${name}`, email: `${name}@example.org`, emailVerified: true, name }, "de");
}

test("every change of a role is in the audit log, with who did it, to whom and when", async () => {
  const db = await freshDatabase();
  const administrators = createAdministrators({ db });
  const [ada, ben] = [await personIn(db, "ada"), await personIn(db, "ben")];
  expect(await administrators.exist()).toBe(false);
  expect(await administrators.setRole(COMMAND_LINE, ada.id, true)).toBe("done");
  expect(await administrators.setRole(COMMAND_LINE, ada.id, true)).toBe("unchanged");
  expect(await administrators.setRole(ada, ben.id, true)).toBe("done");
  expect(await administrators.setRole(ben, ada.id, false)).toBe("done");
  expect(await administrators.exist()).toBe(true);
  const log = createAuditLog({ db });
  const entries = await log.list({ limit: 10 });
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject]).toSorted()).toEqual([
    ["ada@example.org", "administrator_made", "ben@example.org"],
    ["ben@example.org", "administrator_removed", "ada@example.org"],
    [COMMAND_LINE, "administrator_made", "ada@example.org"],
  ]);
  for (const { at } of entries) expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
  expect(await log.count({ subjectId: ada.id })).toBe(2);
});

test("the last administrator who can sign in keeps the role", async () => {
  const db = await freshDatabase();
  const administrators = createAdministrators({ db });
  const [ada, ben] = [await personIn(db, "ada"), await personIn(db, "ben")];
  for (const { id } of [ada, ben]) await administrators.setRole(COMMAND_LINE, id, true);
  await db.updateTable("user").set({ disabled_at: 1 }).where("id", "=", ben.id).execute();
  expect(await administrators.setRole(ada, ada.id, false)).toBe("last");
  expect(await administrators.setRole(ada, "nobody", true)).toBe("unknown");
  expect(await createAuditLog({ db }).count()).toBe(2);
});

test("the audit log keeps entries for 180 days", async () => {
  const db = await freshDatabase();
  const log = createAuditLog({ db });
  const now = Date.now();
  for (const days of [179, 181]) {
    const subject = { id: null, email: `${days}@example.org` };
    await db.transaction().execute((trx) => noteAudit(trx, { actor: COMMAND_LINE, action: "administrator_made", subject }, now - days * DAY_MS));
  }
  await log.deleteExpired(now);
  expect((await log.list({ limit: 10 })).map(({ subject }) => subject)).toEqual(["179@example.org"]);
});

test("people are found by parts of address and name, page by page", async () => {
  const db = await freshDatabase();
  for (const name of ["ada", "ben", "adalbert", "100%"]) await personIn(db, name);
  const people = createPeople({ db });
  const found = async (text: string) => (await people.list({ text, offset: 0, limit: 10 })).people.map(({ name }) => name).toSorted();
  expect(await found("ADA")).toEqual(["ada", "adalbert"]);
  expect(await found("ben@")).toEqual(["ben"]);
  expect(await found("%")).toEqual(["100%"]);
  expect(await found("_")).toEqual([]);
  expect(await people.list({ text: "", offset: 3, limit: 3 })).toMatchObject({ total: 4, people: [{}] });
});

test("every kind of entry of the audit log has a text", () => {
  for (const locale of LOCALES) expect(Object.keys(textFile(locale, "admin").audit.action)).toEqual(expect.arrayContaining([...AUDIT_ACTIONS]));
});

test("the audit log is exported whole, the latest first, while entries are added", async () => {
  const db = await freshDatabase();
  const log = createAuditLog({ db });
  const begin = Date.now() - 10_000;
  const note = (email: string, at: number) => db.transaction().execute((trx) => noteAudit(trx, { actor: COMMAND_LINE, action: "run_deleted", subject: { id: null, email } }, at));
  for (let number = 0; number < 501; number++) await note(`${number}@example.org`, begin + number);
  const parts: string[] = [];
  for await (const part of auditCsv(log, {}, "en")) {
    parts.push(part);
    await note("later@example.org", Date.now() + 60_000);
  }
  const [heading, ...lines] = parts.join("").split("\r\n");
  expect(heading).toBe("\uFEFFWhen,Who,What,Whom it concerns,Details");
  expect(lines.slice(0, -1).map((line) => line.split(",")[3])).toEqual(Array.from({ length: 501 }, (_, index) => `${500 - index}@example.org`));
  expect(lines[500]).toBe(`${new Date(begin).toISOString()},command on the server,Scan deleted,0@example.org,`);
});
