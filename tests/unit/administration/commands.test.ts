// Operator's commands on the database of a server.
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "db/schema";
import { createAdministrators } from "~/administration/administrators.server";
import { COMMAND_LINE, createAuditLog } from "~/administration/audit-log.server";
import { createUsers } from "~/accounts/user.server";
import { createMails } from "~/mail/outbox.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import type { Env } from "~/platform/env.server";
import { runCommand } from "~/server/commands/commands.server";
import { secretsOf } from "~/server/storage/secrets.server";
import { freshFolder } from "../../support/servers/fresh-folder";
import { madeUpDisk } from "../../support/database/made-up-disk";
import { envOf, newDatabase } from "../../support/database/server-database";

interface Said {
  status: number;
  out: string;
  err: string;
}

async function installation() {
  const folder = freshFolder();
  const dataDir = path.join(folder, "data");
  mkdirSync(dataDir);
  const env = envOf({ dataDir });
  const db = await newDatabase({ dataDir });
  onTestFinished(() => db.destroy());
  const audited = async () => (await createAuditLog({ db }).list({ limit: 20 })).map(({ actor, action, subject, details }) => [actor, action, subject, details]);
  return { folder, env, db, audited, run: (...args: string[]) => said(args, env) };
}

/** Runs a command, and collects its output. */
async function said(args: string[], env: Env): Promise<Said> {
  const written = { out: "", err: "" };
  const [out, err] = [process.stdout.write, process.stderr.write];
  process.stdout.write = (text: string | Uint8Array) => (written.out += String(text)) !== "";
  process.stderr.write = (text: string | Uint8Array) => (written.err += String(text)) !== "";
  try {
    const status = await runCommand(args, () => env);
    return { status, ...written };
  } finally {
    process.stdout.write = out;
    process.stderr.write = err;
  }
}

const message = (id: string, text: string) => ({ id, email: "eve@example.org", subject: `About ${id}`, text, locale: "en" as const, created_at: Date.UTC(2026, 0, 2), posted_at: null });

test("messages are listed, shown without characters that control a terminal, and deleted", async () => {
  const { db, run, audited } = await installation();
  expect((await run("messages")).out).toBe("There is no message.\n");
  await db.insertInto("message").values([message("one", "Hello\nthere \u001b[31mred"), message("two", "Bye")]).execute();
  expect((await run("messages")).out).toMatch(/^ID +WHEN .*\none +2026-01-02 00:00 UTC +eve@example\.org +About one +nobody was told\ntwo /);
  expect((await run("messages", "show", "one")).out).toBe("When      2026-01-02 00:00 UTC\nFrom      eve@example.org\nSubject   About one\n\nHello\nthere  [31mred\n");
  expect(await run("messages", "delete", "one")).toEqual({ status: 0, out: "The message one is deleted.\n", err: "" });
  for (const verb of ["show", "delete"]) expect(await run("messages", verb, "one")).toEqual({ status: 1, out: "", err: "There is no message with the id one.\n" });
  expect(await audited()).toEqual([[COMMAND_LINE, "message_deleted", "eve@example.org", {}]]);
});

test("invitations are listed and taken back", async () => {
  const { run, audited } = await installation();
  expect((await run("invitations")).out).toBe("There is no invitation.\n");
  await run("invite", "eve@example.org");
  const { out } = await run("invitations");
  expect(out).toMatch(/^ID +TO .*\n\S+ +eve@example\.org .* the command line +open until /);
  const [, id = ""] = /\n(\S+)/.exec(out) ?? [];
  expect(await run("invitations", "take-back", id)).toMatchObject({ status: 0, out: `The invitation ${id} is taken back.\n` });
  expect(await run("invitations", "take-back", id)).toMatchObject({ status: 1, err: `No invitation with the id ${id} is open.\n` });
  expect((await audited()).map(([, action]) => action).sort()).toEqual(["invitation_sent", "invitation_taken_back"]);
});

test("mails are sent again or deleted", async () => {
  const { db, env, run, audited } = await installation();
  const mails = createMails({ db, box: createSecretBox(secretsOf(env)) });
  await db.transaction().execute((trx) => mails.post(trx, { to: "eve@example.org", subject: "Hello", text: "secret words" }));
  await db.updateTable("mail").set({ given_up_at: 1, attempts: 9 }).execute();
  const { out } = await run("mails");
  expect(out).toMatch(/\n\S+ +eve@example\.org +Hello +9 +given up/);
  expect(out).not.toContain("secret words");
  const [, id = ""] = /\n(\S+)/.exec(out) ?? [];
  expect(await run("mails", "resend", id)).toMatchObject({ status: 0, out: `Within five minutes, the server sends the mail ${id} again.\n` });
  expect(await db.selectFrom("mail").select(["given_up_at", "attempts"]).executeTakeFirst()).toEqual({ given_up_at: null, attempts: 0 });
  expect(await run("mails", "delete", id)).toMatchObject({ status: 0 });
  expect(await run("mails", "resend", id)).toMatchObject({ status: 1, err: `No mail with the id ${id} waits or was given up.\n` });
  const entries = await audited();
  for (const action of ["mail_deleted", "mail_resent"]) expect(entries).toContainEqual([COMMAND_LINE, action, "eve@example.org", {}]);
});

async function administratorIn(db: Db, email: string): Promise<void> {
  const { id } = await createUsers({ db }).recognise({ subject: `x|${email}`, email, emailVerified: true, name: "" }, "de");
  await db.updateTable("user").set({ subject: null }).where("id", "=", id).execute();
  await createAdministrators({ db, hosted: false }).setRole(COMMAND_LINE, id, true);
}

test("an administrator loses the role, but not the last one", async () => {
  const { db, run } = await installation();
  for (const email of ["ada@example.org", "eve@example.org"]) await administratorIn(db, email);
  expect(await run("people", "end-administrator", "eve@example.org")).toMatchObject({ status: 0, out: "Done: eve@example.org.\n" });
  expect(await run("people", "end-administrator", "eve@example.org")).toMatchObject({ status: 0, out: expect.stringContaining("Nothing to do") as unknown });
  expect(await run("people", "end-administrator", "ada@example.org")).toMatchObject({ status: 1, err: expect.stringContaining("the only administrator") as unknown });
});

test("a subcommand that does not exist, or lacks its id, is answered with the usage", async () => {
  const { run } = await installation();
  for (const args of [["messages", "delete"], ["messages", "burn", "one"], ["mails", "resend"], ["mails", "delete", "one", "two"], ["invitations", "take-back"], ["audit-log", "--cvs"]]) {
    expect(await run(...args), args.join(" ")).toMatchObject({ status: 1, err: expect.stringMatching(new RegExp(`^Usage: .*\\n\\n  ${args[0]} `)) as unknown });
  }
});

describe("the address of a database for a move", () => {
  function typed(text: string): void {
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([text]) as typeof process.stdin);
    onTestFinished(() => void vi.restoreAllMocks());
  }

  test("is read from the standard input, where no other user sees its password", async () => {
    const { folder, env, run, db } = await installation();
    const target = path.join(folder, "new.db");
    await db.insertInto("message").values([message("one", "Hello")]).execute();
    typed(`file:${target}\n`);
    expect(await run("move-database", env.DATABASE_URL, "-")).toMatchObject({ status: 0, err: "", out: expect.stringMatching(/^message +1$/m) as unknown });
  });

  test.each(["", "\n", "mysql://db/rampe\n"])("is not %j", async (line) => {
    const { env, run } = await installation();
    typed(line);
    expect(await run("move-database", env.DATABASE_URL, "-")).toMatchObject({ status: 1, err: expect.stringMatching(/^Usage: .*\n\n {2}move-database FROM TO /) as unknown });
  });
});

describe.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("an interruption (%s)", (signal) => {
  test("ends a backup, and nothing is left behind", async () => {
    const { folder, env, run, audited } = await installation();
    const listeners = process.listenerCount(signal);
    const made = run("backup", path.join(folder, "archive"));
    // npm forwards signals that the terminal has already sent.
    for (let count = 0; count < 2; count += 1) process.emit(signal);
    expect(await made).toEqual({ status: 1, out: "", err: "Interrupted: no archive was made.\n" });
    expect(readdirSync(folder)).toEqual(["data"]);
    expect(readdirSync(env.DATA_DIR).filter((name) => name.startsWith("."))).toEqual([]);
    expect(await audited()).toEqual([]);
    expect(process.listenerCount(signal)).toBe(listeners);
  });

  test("ends a restore, and nothing is restored", async () => {
    const { folder, run } = await installation();
    const archive = path.join(folder, "archive");
    await run("backup", archive);
    const elsewhere = envOf({ dataDir: path.join(folder, "elsewhere") });
    const restored = said(["restore", archive], elsewhere);
    process.emit(signal);
    expect(await restored).toEqual({ status: 1, out: "", err: "Interrupted: nothing was restored.\n" });
    expect(readdirSync(elsewhere.DATA_DIR)).toEqual([]);
  });
});

describe("the audit log", () => {
  test("is written as CSV, which is an entry as well", async () => {
    const { db, run } = await installation();
    await db.insertInto("message").values([message("one", "")]).execute();
    await run("messages", "delete", "one");
    const { out } = await run("audit-log", "--csv");
    const [heading, ...lines] = out.trimEnd().split("\r\n");
    expect(heading).toBe("\uFEFFWhen,Who,What,Whom it concerns,Details");
    expect(lines.map((line) => line.split(",").slice(1).join(",")).sort()).toEqual(["command on the server,Audit log downloaded,,", "command on the server,Message deleted,eve@example.org,"]);
    expect((await run("audit-log", "--csv", "eve@")).out.trimEnd().split("\r\n")).toHaveLength(2);
  });

  test("has backups and restores by commands", async () => {
    const { folder, run, audited } = await installation();
    const archive = path.join(folder, "archive");
    expect(await run("backup", archive)).toMatchObject({ status: 0, err: "" });
    expect(await audited()).toEqual([[COMMAND_LINE, "backup_made", null, { file: "archive" }]]);
    const elsewhere = envOf({ dataDir: path.join(folder, "elsewhere") });
    const { status, out, err } = await said(["restore", archive], elsewhere);
    expect([status, err]).toEqual([0, ""]);
    expect(out, "mails and payments of a trial").toMatch(/For a trial beside the original, start it without SMTP_URL, STRIPE_\*, BACKUP_DIR and STORAGE_URL/);
    expect((await said(["audit-log"], elsewhere)).out).toMatch(/backup_restored +file: archive\n$/);
  });

  test("has no backup that was not made", async () => {
    const { folder, run, audited } = await installation();
    madeUpDisk({ freeBytes: 0, totalBytes: 1e12 });
    expect(await run("backup", path.join(folder, "archive"))).toMatchObject({ status: 1, err: expect.stringContaining("free space") as unknown });
    expect(await audited()).toEqual([]);
  });
});
