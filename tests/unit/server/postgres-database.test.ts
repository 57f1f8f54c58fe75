import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { BackupProblem } from "~/administration/backup/backup-problem";
import { InvalidSetting, readEnv, type Env } from "~/platform/env.server";
import { checkDatabase } from "~/server/checks/machine-checks.server";
import { backupTo, requireBackupSettings, restoreFrom } from "~/server/storage/backup.server";
import { openDatabase, openExistingDatabase } from "~/server/storage/database.server";
import { emptyPostgres, freshLocation } from "../../support/database/database";

const envOf = (DATABASE_URL: string, more: Record<string, string> = {}): Env => readEnv({ DATABASE_URL, DATA_DIR: freshLocation().dataDir, ...more });
const NOT_THERE = "postgres://rampe:open-sesame@127.0.0.1:1/shop";

async function opened(env: Env) {
  const db = await openDatabase(env);
  onTestFinished(() => db.destroy());
  return db;
}

test("a database that cannot be used stops the start, with its place and without the password", async () => {
  const error: unknown = await openDatabase(envOf(NOT_THERE)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InvalidSetting);
  expect(String(error)).toMatch(/DATABASE_URL is unusable: it wants a PostgreSQL database, and the database shop of 127\.0\.0\.1:1 cannot be used \(.+\)\.$/);
  expect(String(error)).not.toContain("open-sesame");
});

test("the first start makes the tables; commands of the operator do not", async () => {
  const env = envOf(await emptyPostgres());
  await expect(openExistingDatabase(env)).rejects.toThrow(/^There is nothing in the database .+ of 127\.0\.0\.1:\d+ yet: DATABASE_URL names another database\.$/);
  expect(await checkDatabase(env)).toMatchObject({ state: "ok", fact: "it answers, and the next start updates it" });
  await opened(env);
  const db = await openExistingDatabase(env);
  onTestFinished(() => db.destroy());
  expect(await db.selectFrom("run").selectAll().execute()).toEqual([]);
  expect(await checkDatabase(env)).toMatchObject({ state: "ok", fact: "it answers, and is of this version" });
});

test("a database of a newer version is refused by servers and commands", async () => {
  const env = envOf(await emptyPostgres());
  const db = await opened(env);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', 'tomorrow')`.execute(db);
  for (const open of [openDatabase, openExistingDatabase]) {
    await expect(open(env)).rejects.toThrow(/cannot be used with Rampe .+: it was written by a newer version.+ Start the newer version again, or restore a dump of before the update\.$/);
  }
});

test("the check says that a database does not answer", async () => {
  expect(await checkDatabase(envOf(NOT_THERE))).toMatchObject({ state: "failed", todo: expect.stringMatching(/^it cannot be used: correct DATABASE_URL, or start the database \(/) as unknown });
});

test("archives are refused: they hold an SQLite database", async () => {
  const env = envOf(NOT_THERE, { BACKUP_DIR: "/mnt/backups" });
  expect(() => requireBackupSettings(env)).toThrow(/^BACKUP_DIR is unusable: .+pg_dump/);
  await expect(backupTo(env, "/mnt/backups/rampe.tar.gz")).rejects.toBeInstanceOf(BackupProblem);
  await expect(restoreFrom(env, "/mnt/backups/rampe.tar.gz")).rejects.toBeInstanceOf(BackupProblem);
});
