import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Db, Trx } from "db/schema";
import { createSessions } from "~/accounts/session.server";
import { createUsers, removeUser } from "~/accounts/user.server";
import { createAdministrators } from "~/administration/administrators.server";
import { auditCsv } from "~/administration/audit-csv.server";
import { AUDIT_ACTIONS, COMMAND_LINE, createAuditLog, noteAudit } from "~/administration/audit-log.server";
import { createFirstAdministrator } from "~/administration/first-administrator.server";
import { limitsSchema } from "~/administration/forms.server";
import { createInvitations } from "~/administration/invitations.server";
import { createPersonActions } from "~/administration/person-actions.server";
import { createPeople } from "~/administration/people.server";
import { createApiTokens } from "~/api/token.server";
import type { Mail } from "~/mail/mail";
import { writeLetter } from "~/mail/letters.server";
import { LOCALES } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createRuns } from "~/runs/run.server";
import { parseForm } from "~/platform/forms/parse-form";
import { WrongUsage } from "~/server/commands/command.server";
import { people as peopleCommand } from "~/server/commands/people.server";
import { freshDatabase, testBox } from "../../support/database/database";
import { WCAG22AA } from "../../support/scan/scanner";

const DAY_MS = 86_400_000;

async function personIn(db: Db, name: string, emailVerified = true) {
  return createUsers({ db }).recognise({ subject: `auth0|${name}`, email: `${name}@example.org`, emailVerified, name }, "de");
}

test("every change of a role is in the audit log, with who did it, to whom and when", async () => {
  const db = await freshDatabase();
  const administrators = createAdministrators({ db, hosted: true });
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
  const administrators = createAdministrators({ db, hosted: true });
  const [ada, ben] = [await personIn(db, "ada"), await personIn(db, "ben")];
  for (const { id } of [ada, ben]) await administrators.setRole(COMMAND_LINE, id, true);
  await db.updateTable("user").set({ disabled_at: 1 }).where("id", "=", ben.id).execute();
  expect(await administrators.setRole(ada, ada.id, false)).toBe("last");
  expect(await administrators.setRole(ada, "nobody", true)).toBe("unknown");
  expect([await administrators.isLast({ ...ada, isAdministrator: true }), await administrators.isLast(ben)]).toEqual([true, false]);
  await db.deleteFrom("user").where("id", "=", ben.id).execute();
  expect(await administrators.isLast({ ...ada, isAdministrator: true })).toBe(false);
  expect(await createAuditLog({ db }).count()).toBe(2);
});

test("without a confirmed address, only the link of the start makes an administrator", async () => {
  const db = await freshDatabase();
  const [administrators, first] = [createAdministrators({ db, hosted: true }), createFirstAdministrator({ db, hosted: true })];
  const [ada, ben] = [await personIn(db, "ada", false), await personIn(db, "ben", false)];
  expect(await administrators.setRole(COMMAND_LINE, ada.id, true)).toBe("unconfirmed");
  expect(await first.redeem((await first.newLink())?.split("=")[1] ?? "", ada)).toBe(true);
  expect(await administrators.setRole(ada, ben.id, true)).toBe("unconfirmed");
  expect(await createAuditLog({ db }).count()).toBe(1);
});

test("only accounts of the present way to sign in administer, and can be invited again", async () => {
  const db = await freshDatabase();
  const ada = await personIn(db, "ada");
  await createAdministrators({ db, hosted: true }).setRole(COMMAND_LINE, ada.id, true);
  const mails = { post: async () => {} };
  for (const hosted of [true, false]) {
    const invitations = createInvitations({ db, hosted, mails, write: writeLetter, baseUrl: "https://rampe.example" });
    expect(await createAdministrators({ db, hosted }).exist()).toBe(hosted);
    expect((await createFirstAdministrator({ db, hosted }).newLink()) === null).toBe(hosted);
    expect(await invitations.invite(COMMAND_LINE, { email: ada.email, locale: "de" })).toBe(hosted ? "known" : "sent");
  }
});

test("of several accounts with one address, those are meant to which people can sign in", async () => {
  const db = await freshDatabase();
  const ada = await personIn(db, "ada");
  await db.insertInto("user").values({ id: "local", subject: null, email: ada.email, email_key: ada.email, email_verified: 1, name: "ada", locale: "de", password: "x", created_at: 0 }).execute();
  const found = async (hosted: boolean) => (await createPeople({ db, hosted }).byEmail(ada.email)).map(({ id }) => id);
  expect([await found(true), await found(false)]).toEqual([[ada.id], ["local"]]);
  await db.deleteFrom("user").where("id", "=", "local").execute();
  expect(await found(false)).toEqual([ada.id]);
});

test("nobody administers with a disabled account", async () => {
  const db = await freshDatabase();
  const ada = await personIn(db, "ada");
  await db.updateTable("user").set({ disabled_at: 1 }).execute();
  expect(await createAdministrators({ db, hosted: true }).setRole(COMMAND_LINE, ada.id, true)).toBe("disabled");
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
  const people = createPeople({ db, hosted: true });
  const found = async (text: string) => (await people.list({ text, offset: 0, limit: 10 })).people.map(({ name }) => name).toSorted();
  expect(await found("ADA")).toEqual(["ada", "adalbert"]);
  expect(await found("ben@")).toEqual(["ben"]);
  expect(await found("%")).toEqual(["100%"]);
  expect(await found("_")).toEqual([]);
  expect(await people.list({ text: "", offset: 3, limit: 3 })).toMatchObject({ total: 4, people: [{}] });
});

describe("an invitation", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  async function invitations() {
    const db = await freshDatabase();
    const posted: Mail[] = [];
    const model = createInvitations({ db, hosted: true, mails: { post: async (_trx, mail) => void posted.push(mail) }, write: writeLetter, baseUrl: "https://rampe.example" });
    const newest = () => /token=([\w-]{43})/.exec(posted.at(-1)?.text ?? "")?.[1] ?? "";
    const redeem = async (token: string, userId: string) => {
      const admission = await model.admissions.find(token);
      return admission ? db.transaction().execute((trx) => admission.redeem(trx, userId)) : undefined;
    };
    return { db, model, posted, newest, redeem };
  }
  const cleo = { email: "cleo@example.org", locale: "de" } as const;

  test("is sent in the chosen language, and admits its address once", async () => {
    const { db, model, posted, newest, redeem } = await invitations();
    expect(await model.invite(COMMAND_LINE, { ...cleo, locale: "en" })).toBe("sent");
    expect(posted).toMatchObject([{ to: cleo.email, subject: "Invitation to Rampe" }]);
    expect(await model.admissions.find(newest())).toMatchObject({ email: cleo.email });
    const { id } = await personIn(db, "cleo");
    const tries = await Promise.all([redeem(newest(), id), redeem(newest(), id)]);
    expect(tries.filter((isDone) => isDone === true)).toHaveLength(1);
    expect(await model.admissions.find(newest())).toBeUndefined();
    expect((await model.list({ offset: 0, limit: 5 })).invitations).toMatchObject([{ usedAt: expect.any(Number) }]);
    expect(await model.invite(COMMAND_LINE, cleo)).toBe("known");
  });

  test("is sent once for a second click, on either button", async () => {
    const { model, posted } = await invitations();
    const now = Date.now();
    for (let click = 0; click < 2; click++) expect(await model.invite(COMMAND_LINE, cleo)).toBe("sent");
    expect(posted).toHaveLength(1);
    expect(await model.invite(COMMAND_LINE, { ...cleo, locale: "en" })).toBe("sent");
    expect(posted).toHaveLength(2);
    vi.setSystemTime(now + 60_000);
    const [{ id, sentAt } = { id: "", sentAt: 0 }] = (await model.list({ offset: 0, limit: 5 })).invitations;
    for (let click = 0; click < 2; click++) expect(await model.sendAgain(COMMAND_LINE, id, sentAt)).toBe(true);
    expect(posted).toHaveLength(3);
  });

  test("is valid for 14 days; sent again, only its newest link is; taken back, none is", async () => {
    const { db, model, newest } = await invitations();
    const now = Date.now();
    await model.invite(COMMAND_LINE, cleo);
    const first = newest();
    expect(await model.admissions.find(first, now + 13.9 * DAY_MS)).toBeDefined();
    expect(await model.admissions.find(first, now + 14.1 * DAY_MS)).toBeUndefined();
    const [{ id, sentAt } = { id: "", sentAt: 0 }] = (await model.list({ offset: 0, limit: 5 })).invitations;
    vi.setSystemTime(now + 60_000);
    expect(await model.sendAgain(COMMAND_LINE, id, sentAt)).toBe(true);
    expect([await model.admissions.find(first), await model.admissions.find(newest())]).toEqual([undefined, expect.anything()]);
    vi.setSystemTime(now + 120_000);
    await model.invite(COMMAND_LINE, { ...cleo, email: "CLEO@example.org" });
    expect((await model.list({ offset: 0, limit: 5 })).total).toBe(1);
    const [{ id: last } = { id: "" }] = (await model.list({ offset: 0, limit: 5 })).invitations;
    expect(await model.takeBack(COMMAND_LINE, last)).toBe(true);
    expect(await model.takeBack(COMMAND_LINE, last)).toBe(false);
    expect(await model.admissions.find(newest())).toBeUndefined();
    expect((await createAuditLog({ db }).list({ limit: 9 })).map(({ action, subject }) => [action, subject?.toLowerCase()]).toSorted()).toEqual([
      ["invitation_sent", cleo.email],
      ["invitation_sent", cleo.email],
      ["invitation_sent", cleo.email],
      ["invitation_taken_back", cleo.email],
    ]);
  });
});

describe("what administrators do to an account", () => {
  async function installation() {
    const db = await freshDatabase();
    const [ada, ben] = [await personIn(db, "ada"), await personIn(db, "ben")];
    const accounts = { mailReset: async () => {}, removeByOperator: (trx: Trx, { id }: { id: string }) => removeUser(trx, id) };
    const queues = { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db, name: "site" }) };
    const runs = createRuns({ db, queues, box: testBox, retentionDays: 365 });
    const changed: string[] = [];
    const actions = createPersonActions({ db, hosted: true, accounts, runs, onRunChanged: (id) => changed.push(id) });
    await actions.makeAdministrator(COMMAND_LINE, ada.id);
    return { db, ada, ben, runs, changed, actions, people: createPeople({ db, hosted: true }) };
  }

  test("disabling ends sessions and access tokens, and deletes nothing else", async () => {
    const { db, ada, ben, actions, people } = await installation();
    await createSessions({ db, box: testBox, days: 1 }).begin({ userId: ben.id });
    await createApiTokens({ db }).create(ben.id, { name: "CI", scopes: ["runs:read"], days: null });
    expect(await people.find(ben.id)).toMatchObject({ sessions: 1, tokens: 1, isDisabled: false });
    expect(await actions.disable(ada, ben.id)).toBe("done");
    expect(await actions.disable(ada, ben.id)).toBe("unchanged");
    expect(await people.find(ben.id)).toMatchObject({ sessions: 0, tokens: 0, isDisabled: true, email: ben.email });
    expect(await actions.enable(ada, ben.id)).toBe("done");
    expect(await people.find(ben.id)).toMatchObject({ isDisabled: false });
    expect((await createAuditLog({ db }).list({ subjectId: ben.id, limit: 9 })).map(({ action }) => action).toSorted()).toEqual(["account_disabled", "account_enabled"]);
  });

  test("disabling cancels what runs and waits, and the audit log says how many scans", async () => {
    const { db, ada, ben, runs, changed, actions } = await installation();
    const start = async (owner: string) => (await runs.start({ url: "https://shop.example/", scope: "page", standard: WCAG22AA, owner })).id;
    const [waits, isRunning, ended, foreign] = [await start(ben.id), await start(ben.id), await start(ben.id), await start(ada.id)];
    await db.updateTable("run").set({ status: "running" }).where("id", "=", isRunning).execute();
    await runs.cancel(ended, ben.id);
    expect(await actions.disable(ada, ben.id)).toBe("done");
    expect(changed.toSorted()).toEqual([waits, isRunning].toSorted());
    for (const id of changed) expect((await runs.ofOwner(id, ben.id))?.status).toBe("canceled");
    expect((await runs.ofOwner(foreign, ada.id))?.status).toBe("queued");
    expect((await createAuditLog({ db }).list({ subjectId: ben.id, limit: 9 })).map(({ details }) => details)).toEqual([{ canceled: 2 }]);
  });

  test("the last administrator is neither disabled nor deleted, and nobody does it to themselves", async () => {
    const { db, ada, ben, actions, people } = await installation();
    expect([await actions.disable(ada, ada.id), await actions.remove(ada, ada.id)]).toEqual(["self", "self"]);
    expect([await actions.disable(COMMAND_LINE, ada.id), await actions.remove(COMMAND_LINE, ada.id)]).toEqual(["last", "last"]);
    await actions.makeAdministrator(ada, ben.id);
    expect(await actions.remove(ben, ada.id)).toBe("done");
    expect(await people.find(ada.id)).toBeUndefined();
    // The audit log keeps the entries of a deleted account.
    expect(await createAuditLog({ db }).count({ subjectId: ada.id })).toBe(2);
    expect(await actions.takeAdministrator(ben, ben.id)).toBe("last");
  });

  test("what the hosted provider keeps is left to it", async () => {
    const { ada, ben, actions } = await installation();
    expect([await actions.confirm(ada, ben.id), await actions.mailReset(ada, ben.id), await actions.confirm(ada, "nobody")]).toEqual(["hosted", "hosted", "unknown"]);
  });
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

test.each<[typed: Record<string, string>, limits: object | null]>([
  [{ waiting: "", pages: " 7 " }, { waiting: null, pages: 7 }],
  [{ waiting: "1", pages: "" }, { waiting: 1, pages: null }],
  [{ waiting: "some", pages: "" }, null],
  [{ waiting: "0", pages: "100001" }, null],
])("limits are whole numbers, and an empty field is the limit of the installation: %j", (typed, limits) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.append(name, value);
  expect(parseForm(form, limitsSchema).value).toEqual(limits);
});

test.each(["", "pages=0", "pages=100001", "pages=", "pages=5 pages=6", "scans=5", "default pages=5"])(
  "wrong limits on the command line are refused before the database is opened: %s",
  async (typed) => {
    const nothing = () => expect.fail("not called");
    await expect(peopleCommand.run(["limits", "ada@example.org", ...typed.split(" ")], { env: nothing, readLine: nothing, say: nothing, complain: nothing })).rejects.toThrow(WrongUsage);
  },
);
