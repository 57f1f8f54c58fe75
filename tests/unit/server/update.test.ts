// Updates of SQLite files of older versions.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import SQLite from "better-sqlite3";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrate, type MigrationProgress } from "db/migrate.server";
import { migrations } from "db/migrations/index";
import { openSqlite } from "db/sqlite.server";
import { deleteOldCopies, updateCopies } from "~/administration/backup/update-copies.server";
import { readEnv } from "~/platform/env.server";
import { runCommand } from "~/server/commands/commands.server";
import { backupTo, restoreFrom } from "~/server/storage/backup.server";
import { openDatabase, openExistingDatabase } from "~/server/storage/database.server";
import { runsOf } from "../../support/database/finished-runs";
import { freshFolder } from "../../support/servers/fresh-folder";
import { madeUpDisk } from "../../support/database/made-up-disk";

/** Databases of older versions: the last migration, a run and its owner. */
const OLD = {
  "old-database.sql": { last: "0026", run: "ht4_7fhZMWo6Sr7ky5L1hQ" },
  "database-0.1.0.sql": { last: "0042-schedule-access", run: "BtdVFVtwYlWPTQZeV6ziWQ" },
};
const LATEST = Object.keys(migrations).at(-1) ?? "";

function installation(sqlFile?: keyof typeof OLD, settings: Record<string, string> = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-update-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = readEnv({ DATA_DIR: dataDir, ...settings });
  const file = path.join(dataDir, "rampe.db");
  if (sqlFile) change(file, `${readFileSync(fileURLToPath(new URL(`../../support/database/${sqlFile}`, import.meta.url)), "utf8")}; pragma journal_mode = WAL`);
  const log: [string, Record<string, unknown> | undefined][] = [];
  const open = async () => {
    const db = await openDatabase(env, { log: (event, fields) => void log.push([event, fields]) });
    onTestFinished(() => db.destroy());
    return db;
  };
  return { dataDir, env, file, log, open, copies: () => updateCopies(dataDir) };
}

function change(file: string, statements: string): void {
  const raw = new SQLite(file);
  raw.exec(statements);
  raw.close();
}

function lastMigration(file: string): unknown {
  const raw = new SQLite(file, { readonly: true });
  const name = raw.prepare("select max(name) from kysely_migration").pluck().get();
  raw.close();
  return name;
}

const fullDisk = () => madeUpDisk({ freeBytes: 0, totalBytes: 1e12 });

/** Migration of the next version, for one test. */
function nextMigration(up: () => Promise<void> = async () => {}): string {
  const name = "9998-of-the-next-version";
  migrations[name] = { up };
  onTestFinished(() => void delete migrations[name]);
  return name;
}

describe("before an update", () => {
  test.each(Object.entries(OLD))("the database of %s is copied, and its reports can be read afterwards", async (sqlFile, { last, run }) => {
    const { dataDir, open, copies, log } = installation(sqlFile as keyof typeof OLD);
    nextMigration();
    const db = await open();
    expect(await runsOf(db).ofOwner(run, "ada")).toMatchObject({ status: "succeeded" });
    const [name = "", ...others] = await copies();
    expect([name, others]).toEqual([expect.stringMatching(new RegExp(`^before-update_${last}.*_\\d{8}T\\d{6}Z\\.db$`)), []]);
    expect(statSync(path.join(dataDir, name)).mode & 0o777).toBe(0o600);
    const copy = new SQLite(path.join(dataDir, name), { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.prepare("select id from run").pluck().all()).toEqual([run]);
    expect(copy.prepare("select max(name) from kysely_migration").pluck().get()).toContain(last);
    expect(log.map(([event]) => event)).toEqual(["the database is being updated", "the database was updated"]);
    expect(log[0]?.[1]).toMatchObject({ copy: path.join(dataDir, name) });
  });

  test("nothing is copied if the database is new or up to date", async () => {
    const { open, copies, log } = installation();
    for (let start = 0; start < 2; start += 1) await (await open()).destroy();
    expect([await copies(), log]).toEqual([[], []]);
  });

  test("an update that fails at every start leaves one copy, and the database as it was", async () => {
    const { file, open, copies } = installation("database-0.1.0.sql");
    nextMigration(() => Promise.reject(new Error("no such column")));
    const names = [];
    for (let start = 0; start < 2; start += 1) {
      await expect(open()).rejects.toThrow("no such column");
      names.push(...(await copies()));
      // File names have a resolution of seconds.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    expect(new Set(names).size).toBe(2);
    expect(await copies()).toEqual([names[1]]);
    expect(lastMigration(file)).toBe("0042-schedule-access");
  });

  test("two processes at once each find an updated database, and a copy of the old one", async () => {
    const { open, copies, file } = installation("database-0.1.0.sql");
    nextMigration();
    const both = await Promise.all([open(), open()]);
    for (const db of both) expect((await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)).rows[0]?.name).toMatch(/^9998/);
    expect(await copies()).not.toEqual([]);
    expect((await copies()).every((name) => name.includes("0042-schedule-access"))).toBe(true);
    expect(readdirSync(path.dirname(file)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("without room for the copy, the start is refused in a sentence that says what helps", async () => {
    const { open, copies, file } = installation("database-0.1.0.sql");
    nextMigration();
    fullDisk();
    await expect(open()).rejects.toThrow(/^The update copies the database first\. .* 0 MB are free: make room there, or copy DATA_DIR to another disk and start with UPDATE_COPY=off\.$/);
    expect(await copies()).toEqual([]);
    expect(lastMigration(file)).toBe("0042-schedule-access");
  });

  test("UPDATE_COPY=off skips the copy, and the update needs no room for it", async () => {
    const { open, copies, file, log } = installation("database-0.1.0.sql", { UPDATE_COPY: "off" });
    const next = nextMigration();
    fullDisk();
    await open();
    expect([await copies(), lastMigration(file)]).toEqual([[], next]);
    expect(log.map(([event]) => event)).toEqual(["the database is being updated", "the database was updated"]);
  });

  test("what a killed copy left is removed, but not what one at work writes", async () => {
    const { dataDir, open } = installation("database-0.1.0.sql");
    nextMigration();
    for (const [name, minutes] of [["before-update_0042_x.db.1.part", 11], ["before-update_0042_x.db.2.part", 9], ["other.part", 11]] as const) {
      writeFileSync(path.join(dataDir, name), "");
      const time = new Date(Date.now() - minutes * 60_000);
      utimesSync(path.join(dataDir, name), time, time);
    }
    await open();
    expect(readdirSync(dataDir).filter((name) => name.endsWith(".part")).sort()).toEqual(["before-update_0042_x.db.2.part", "other.part"]);
  });

  test("a week later, the copy is deleted", async () => {
    const { dataDir } = installation();
    for (const [name, days] of [["before-update_0001_x.db", 8], ["before-update_0002_y.db", 6], ["before-update_0002_z.db.1.part", 8]] as const) {
      writeFileSync(path.join(dataDir, name), "");
      const time = new Date(Date.now() - days * 86_400_000);
      utimesSync(path.join(dataDir, name), time, time);
    }
    await deleteOldCopies(dataDir);
    expect(readdirSync(dataDir)).toEqual(["before-update_0002_y.db"]);
  });
});

test("a database of a newer version is refused in a sentence, and stays as it is", async () => {
  const { file, dataDir, open } = installation("database-0.1.0.sql");
  change(file, "insert into kysely_migration values ('9999-later', '2099-01-01T00:00:00.000Z')");
  writeFileSync(path.join(dataDir, `before-update_${LATEST}_20260101T000000Z.db`), "");
  const before = readFileSync(file);
  await expect(open()).rejects.toThrow(
    new RegExp(`^The database ${file} cannot be used with Rampe \\d+\\.\\d+\\.\\d+: .*9999-later\\. Start the newer version again, or restore a backup of before the update \\(the copy before-update_${LATEST}_.*\\.db in DATA_DIR .*\\)\\.$`),
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("migrations that take longer tell how far they are", async () => {
  const { file } = installation("old-database.sql");
  const db = openSqlite(file);
  onTestFinished(() => db.destroy());
  const begin = Date.now();
  // Clock of a slow machine.
  let now = begin;
  const clock = Date.now;
  Date.now = () => (now += 1_000);
  const told: MigrationProgress[] = [];
  await migrate(db, (progress) => told.push(progress)).finally(() => (Date.now = clock));
  expect(told.at(-1)?.migration).toBe(LATEST);
  expect(told[0]?.done, "not in the first seconds").toBeGreaterThan(1);
  for (const { done, of } of told) expect(done).toBeLessThan(of);
});

describe("a command of the operator", () => {
  test("refuses a database that the new version has not updated yet, and changes nothing", async () => {
    const { env, file, copies } = installation("database-0.1.0.sql");
    nextMigration();
    await expect(openExistingDatabase(env)).rejects.toThrow(new RegExp(`^The database ${file} is of an older version than Rampe \\d.*: start the new version first, which updates it\\.$`));
    expect([await copies(), lastMigration(file)]).toEqual([[], "0042-schedule-access"]);
  });

  test("that is refused ends with 1 and this sentence", async () => {
    const { env } = installation("database-0.1.0.sql");
    nextMigration();
    const told: string[] = [];
    const stderr = process.stderr.write.bind(process.stderr);
    onTestFinished(() => void (process.stderr.write = stderr));
    process.stderr.write = (text: string | Uint8Array) => told.push(String(text)) > 0;
    expect(await runCommand(["audit-log"], () => env)).toBe(1);
    expect(told.join("")).toMatch(/^The database .*: start the new version first, which updates it\.\n$/);
  });

  test("refuses a database of a newer version, and one that is none", async () => {
    const { env, file } = installation("database-0.1.0.sql");
    change(file, "insert into kysely_migration values ('9999-later', '2099-01-01T00:00:00.000Z')");
    await expect(openExistingDatabase(env)).rejects.toThrow("Start the newer version again");
    const other = installation();
    writeFileSync(other.file, "photos of the holidays, ".repeat(100));
    await expect(openExistingDatabase(other.env)).rejects.toThrow(/^The database .* cannot be read \(file is not a database\)\.$/);
  });

  test("opens an updated one, and can back up and restore one of an older version", async () => {
    const { env, open, file } = installation("database-0.1.0.sql");
    const next = nextMigration();
    const archive = path.join(freshFolder(), "archive");
    await backupTo(env, archive);
    const restored = path.join(freshFolder(), "data");
    await restoreFrom(readEnv({ DATA_DIR: restored }), archive);
    expect(lastMigration(path.join(restored, "rampe.db"))).toBe("0042-schedule-access");
    await open();
    const db = await openExistingDatabase(env);
    onTestFinished(() => db.destroy());
    expect(lastMigration(file)).toBe(next);
  });
});
