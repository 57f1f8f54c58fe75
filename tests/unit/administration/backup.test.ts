import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import type { Logger } from "pino";
import { pack, type Header } from "tar-stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { archiveName } from "~/administration/backup/archive-folder.server";
import type { Manifest } from "~/administration/backup/manifest.server";
import { restoreArchive } from "~/administration/backup/restore.server";
import { readEnv, type Env } from "~/platform/env.server";
import { backupInto, backupTo, restoreFrom, startBackups } from "~/server/storage/backup.server";
import { databaseFile } from "~/server/storage/database.server";
import { freshFolder } from "../../support/servers/fresh-folder";
import { madeUpDisk } from "../../support/database/made-up-disk";
import { newDatabase, withDatabase } from "../../support/database/server-database";

const KEY = "a key of at least twenty characters";
const SECRET = "the secret of the sessions, long enough\n";

/** Installation with a user, a secret, legal texts and a mail; and a folder for archives. */
async function installation(settings: Record<string, string> = {}) {
  const folder = freshFolder();
  const dataDir = path.join(folder, "data");
  const env = readEnv({ DATA_DIR: dataDir, ...settings });
  const db = await newDatabase({ dataDir });
  await db.destroy();
  mkdirSync(path.join(dataDir, "outbox"));
  const files = { "session-secret": SECRET, "terms.de.md": "# AGB\n", "outbox/2026-a.eml": "Subject: Hallo\r\n", "outbox/2026-b.eml": "" };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dataDir, name), text);
  const keyFile = path.join(folder, "key");
  writeFileSync(keyFile, `${KEY}\n`);
  return { folder, dataDir, env, files, archive: path.join(folder, "archive"), withKey: { ...env, BACKUP_KEY_FILE: keyFile } };
}

/** Settings of another machine, with an empty data folder. */
const elsewhere = (settings: Record<string, string> = {}) => readEnv({ DATA_DIR: path.join(freshFolder(), "data"), ...settings });

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : []);

describe("an archive", () => {
  test.each([false, true])("restores every file as it was (encrypted: %s)", async (isEncrypted) => {
    const { env, withKey, dataDir, files, archive } = await installation();
    for (const left of ["outbox/2026-c.eml.part", "before-update_0001_2026.db", "pictures"]) writeFileSync(path.join(dataDir, left), "x".repeat(200_000));
    // Incompressible data.
    const noise = randomBytes(300_000);
    writeFileSync(path.join(dataDir, "pictures"), noise);
    await backupTo(isEncrypted ? withKey : env, archive);
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const isReadable = [50_000, 150_000, 250_000].some((start) => readFileSync(archive).includes(noise.subarray(start, start + 500)));
    expect(isReadable).toBe(!isEncrypted);
    expect(namesIn(path.dirname(archive)).filter((name) => name.endsWith(".part") || name.includes(".backup-")), "nothing is left behind").toEqual(["data/outbox/2026-c.eml.part"]);

    const target = elsewhere();
    const manifest = await restoreFrom({ ...target, BACKUP_KEY_FILE: withKey.BACKUP_KEY_FILE }, archive);
    expect(manifest.secret).toBe("file");
    for (const [name, text] of Object.entries(files)) expect(readFileSync(path.join(target.DATA_DIR, name), "utf8"), name).toBe(text);
    expect(namesIn(target.DATA_DIR)).toEqual([...Object.keys(files), "outbox", "pictures", manifest.database].sort());
    for (const name of manifest.files) expect(statSync(path.join(target.DATA_DIR, name.path)).mode & 0o777, name.path).toBe(0o600);
    expect(await withDatabase({ dataDir: target.DATA_DIR }, (db) => db.selectFrom("kysely_migration" as "run").selectAll().execute())).not.toEqual([]);
  });

  test("is made while the database is written, and holds one moment of it", async () => {
    const { env, dataDir, archive } = await installation();
    const db = await newDatabase({ dataDir });
    const write = (id: number) =>
      db.transaction().execute(async (trx) => {
        for (const source of ["axe", "rampe"]) {
          const rule = { source: source as "axe", rule_id: `rule-${id}`, engine_version: "1", tags: "[]", help: "h".repeat(5_000), description: "", help_url: "" };
          await trx.insertInto("rule").values(rule).execute();
        }
      });
    for (let id = 0; id < 300; id += 1) await write(id);
    let isDone = false;
    const made = backupTo(env, archive).finally(() => (isDone = true));
    let written = 300;
    for (; !isDone; written += 1) {
      await write(written);
      await nextTurn();
    }
    await made;
    await db.destroy();
    expect(written, "writes go on").toBeGreaterThan(301);
    const target = elsewhere();
    await restoreFrom(target, archive);
    const rules = await withDatabase({ dataDir: target.DATA_DIR }, (restored) => restored.selectFrom("rule").select(["source", "rule_id"]).execute());
    const of = (source: string) => rules.filter((rule) => rule.source === source).map((rule) => rule.rule_id);
    expect(of("axe").length).toBeGreaterThanOrEqual(300);
    expect(of("axe"), "no transaction is cut in half").toEqual(of("rampe"));
  });

  test("knows a secret that is not in it, and a database elsewhere", async () => {
    const { folder, env, dataDir, archive } = await installation({ SESSION_SECRET: "a secret of the configuration without a comma" });
    const place = path.join(folder, "database", "all.sqlite");
    await (await newDatabase({ dataDir })).destroy();
    const moved = { ...env, DATABASE_URL: `file:${place}` };
    mkdirSync(path.dirname(place));
    await expect(backupTo(moved, archive)).rejects.toThrow(`There is no database at ${place}`);
    const [name = ""] = namesIn(dataDir).filter((each) => each.endsWith(".db"));
    writeFileSync(place, readFileSync(path.join(dataDir, name)));
    rmSync(path.join(dataDir, name));
    expect(await backupTo(moved, archive)).toMatchObject({ secret: "configuration", database: "all.sqlite" });

    const target = elsewhere();
    await restoreFrom(target, archive);
    expect(namesIn(target.DATA_DIR)).toContain(name);
    expect(namesIn(target.DATA_DIR)).not.toContain("all.sqlite");
  });

  test("may not lie in the data folder, replace another file, or be in no folder", async () => {
    const { env, dataDir, folder, archive } = await installation();
    await expect(backupTo(env, path.join(dataDir, "archive"))).rejects.toThrow("would be lost together with it");
    await expect(backupInto(env, path.join(dataDir, "backups"))).rejects.toThrow("would be lost together with it");
    await expect(backupTo(env, path.join(folder, "key"))).rejects.toThrow("exists already and is never replaced: choose another name");
    await expect(backupTo(env, folder)).rejects.toThrow("exists already and is never replaced: choose another name");
    writeFileSync(archive, gzipSync("photos of the holidays"));
    await expect(backupTo(env, archive)).rejects.toThrow("exists already and is never replaced");
    expect(gunzipSync(readFileSync(archive)).toString()).toBe("photos of the holidays");
    await expect(backupTo(env, path.join(folder, "none", "archive"))).rejects.toThrow(`There is no folder ${path.join(folder, "none")}`);
  });

  test("removes what killed backups left in the data folder and beside it, but not what one at work writes", async () => {
    const { env, dataDir, folder, archive } = await installation();
    mkdirSync(path.join(dataDir, ".backup-old", "outbox"), { recursive: true });
    mkdirSync(path.join(dataDir, ".backup-new"));
    for (const name of ["archive.old.part", "archive.new.part", "archive-of-hand.part"]) writeFileSync(path.join(folder, name), "");
    const old = new Date(Date.now() - 2 * 86_400_000);
    for (const place of [path.join(dataDir, ".backup-old"), ...["archive.old.part", "archive-of-hand.part"].map((name) => path.join(folder, name))]) utimesSync(place, old, old);
    await backupTo(env, archive);
    expect(namesIn(dataDir).filter((name) => name.startsWith(".backup"))).toEqual([".backup-new"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part")).sort()).toEqual(["archive-of-hand.part", "archive.new.part"]);
  });

  test("leaves the running server the space without which it begins no scan", async () => {
    const { env, archive } = await installation({ DISK_MIN_FREE_MB: "1000" });
    const disk = { freeBytes: 1_100e6, totalBytes: 100e9 };
    madeUpDisk(disk);
    await expect(backupTo(env, archive)).rejects.toThrow(/^A backup wants 110\d MB of free space in .*, and 1100 MB are free: make room there\.$/);
    disk.freeBytes = 1_110e6;
    expect((await backupTo(env, archive)).files.length).toBeGreaterThan(4);
  });

  test("is given up when the server stops, and leaves no files", async () => {
    const { env, dataDir, folder, archive } = await installation();
    const before = namesIn(folder);
    await expect(backupTo(env, archive, AbortSignal.abort())).rejects.toThrow("abort");
    expect(namesIn(folder)).toEqual(before);
    expect(namesIn(dataDir).some((name) => name.startsWith(".backup"))).toBe(false);
  });

  test("is encrypted with a key of at least 20 characters", async () => {
    const { folder, withKey, archive } = await installation();
    writeFileSync(path.join(folder, "key"), "short\n");
    await expect(backupTo(withKey, archive)).rejects.toThrow(/^BACKUP_KEY_FILE is unusable: .* wants at least 20 characters/);
    rmSync(path.join(folder, "key"));
    await expect(backupTo(withKey, archive)).rejects.toThrow(/^BACKUP_KEY_FILE is unusable: it wants a file with a key/);
  });
});

describe("a restore is refused, and the data folder stays empty,", () => {
  async function refused(file: string, settings: Record<string, string> = {}): Promise<string> {
    const target = elsewhere(settings);
    const problem = await restoreFrom(target, file).then(
      () => "restored",
      (error: Error) => `${error.name}: ${error.message}`,
    );
    expect(namesIn(target.DATA_DIR)).toEqual([]);
    return problem;
  }

  test("with another key, or without one", async () => {
    const { folder, withKey, archive } = await installation();
    await backupTo(withKey, archive);
    writeFileSync(path.join(folder, "other"), `${KEY}!`);
    expect(await refused(archive, { BACKUP_KEY_FILE: path.join(folder, "other") })).toContain("does not fit this archive");
    expect(await refused(archive)).toContain("is encrypted: set BACKUP_KEY_FILE");
  });

  test.each([false, true])("of an archive that was cut off (encrypted: %s)", async (isEncrypted) => {
    const { folder, env, withKey, dataDir, archive } = await installation();
    writeFileSync(path.join(dataDir, "noise"), randomBytes(300_000));
    await backupTo(isEncrypted ? withKey : env, archive);
    const whole = readFileSync(archive);
    const piece = 32 + 65_552;
    for (const length of [0, 40, piece, whole.length - 1]) {
      const cut = path.join(folder, "cut");
      writeFileSync(cut, whole.subarray(0, length));
      expect(await refused(cut, isEncrypted ? { BACKUP_KEY_FILE: path.join(folder, "key") } : {}), String(length)).toMatch(/^BackupProblem: /);
    }
  });

  test.each([false, true])("of an archive with one changed byte (encrypted: %s)", async (isEncrypted) => {
    const { folder, env, withKey, archive } = await installation();
    await backupTo(isEncrypted ? withKey : env, archive);
    const whole = readFileSync(archive);
    // Earlier bytes are unused: time and kind of computer in gzip's header.
    const places = [100, whole.length >> 1, whole.length - 5];
    for (const place of places) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 1;
      writeFileSync(path.join(folder, "changed"), changed);
      expect(await refused(path.join(folder, "changed"), isEncrypted ? { BACKUP_KEY_FILE: path.join(folder, "key") } : {}), String(place)).toMatch(/^BackupProblem: /);
    }
  });

  test("of a file that is none, or missing", async () => {
    const folder = freshFolder();
    writeFileSync(path.join(folder, "text"), "no archive at all, but long enough to be read as a head");
    expect(await refused(path.join(folder, "text"))).toContain("is no archive of Rampe");
    expect(await refused(path.join(folder, "missing"))).toContain("cannot be read: ENOENT");
  });

  test("of an archive of a newer version", async () => {
    const manifest = { ...LIST, version: "9.0.0", migration: "9999-later" };
    expect(await refused(await handMade([["data/a.db", "x"]], manifest))).toContain("made by Rampe 9.0.0, which is newer than this version");
    expect(await refused(await handMade([["data/a.db", "x"]], { format: 2 }))).toContain("made by a newer version of Rampe");
  });

  const X = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
  const LIST: Manifest = {
    ...{ format: 1, version: "0.1.0", migration: "0042-schedule-access", createdAt: "2026-11-27T00:00:00.000Z", database: "a.db", secret: "file" },
    files: [{ path: "a.db", bytes: 1, sha256: X }],
  };

  type HandMade = [name: string, content: string, header?: Partial<Header>];

  async function handMade(entries: HandMade[], manifest: object = LIST): Promise<string> {
    const archive = pack();
    for (const [name, content, header] of [["manifest.json", JSON.stringify(manifest)], ...entries] as HandMade[]) archive.entry({ name, ...header }, content);
    archive.finalize();
    const file = path.join(freshFolder(), "hand-made");
    await pipeline(Readable.from(archive), createGzip(), createWriteStream(file));
    return file;
  }

  const listed = (name: string) => ({ ...LIST, files: [...LIST.files, { path: name, bytes: 1, sha256: X }] });

  test.each<[string, HandMade[], object?]>([
    ["a path out of the folder", [["data/a.db", "x"], ["data/../../evil", "x"]]],
    ["a listed path out of the folder", [["data/a.db", "x"], ["data/../evil", "x"]], listed("../evil")],
    ["an absolute path", [["data/a.db", "x"], ["/tmp/evil", "x"]], listed("/tmp/evil")],
    ["a path with backslashes", [["data/a.db", "x"], ["data/..\\evil", "x"]], listed("..\\evil")],
    ["a symbolic link", [["data/a.db", "x"], ["data/outbox", "", { type: "symlink", linkname: "/tmp" }]], listed("outbox")],
    ["a hard link", [["data/a.db", "x"], ["data/b", "", { type: "link", linkname: "/etc/passwd" }]], listed("b")],
    ["a device", [["data/a.db", "x"], ["data/b", "", { type: "character-device" }]], listed("b")],
    ["a file twice", [["data/a.db", "x"], ["data/a.db", "x"]]],
    ["a file in the place of a folder", [["data/a.db", "x"], ["data/a.db/b", "x"]], listed("a.db/b")],
    ["a file that is not listed", [["data/a.db", "x"], ["data/b", "x"]]],
    ["a listed file that is missing", [["data/a.db", "x"]], listed("b")],
    ["another content than listed", [["data/a.db", "y"]]],
    ["another size than listed", [["data/a.db", "xx"]]],
    ["no database", [["data/b", "x"]], { ...LIST, files: [{ path: "b", bytes: 1, sha256: X }] }],
    ["more than the disk can take", [["data/a.db", "x"]], { ...LIST, files: [{ path: "a.db", bytes: Number.MAX_SAFE_INTEGER, sha256: X }] }],
    ["no list", [], { no: "list" }],
  ])("of an archive with %s", async (_what, entries, manifest) => {
    expect(await refused(await handMade(entries, manifest))).toMatch(/^BackupProblem: The archive /);
    expect(existsSync("/tmp/evil")).toBe(false);
  });

  test("as long as there is something in the data folder", async () => {
    const { env, dataDir, archive } = await installation();
    await backupTo(env, archive);
    await expect(restoreFrom(env, archive)).rejects.toThrow(/is not empty \(.+\): stop the server, move what is there to another folder/);
    expect(readFileSync(path.join(dataDir, "session-secret"), "utf8")).toBe(SECRET);

    const place = path.join(freshFolder(), "all.sqlite");
    writeFileSync(place, "");
    const target = elsewhere({ DATABASE_URL: `file:${place}` });
    await expect(restoreFrom(target, archive)).rejects.toThrow(`There is a database at ${place} already`);
  });

  test.each(["-wal", "-shm", "-journal"])("as long as a part of another database is there (%s)", async (part) => {
    const { env, archive } = await installation();
    await backupTo(env, archive);
    const place = path.join(freshFolder(), "all.sqlite");
    writeFileSync(place + part, "of another database");
    const target = elsewhere({ DATABASE_URL: `file:${place}` });
    await expect(restoreFrom(target, archive)).rejects.toThrow(`There is ${place}${part}, a part of another database, already: stop the server`);
    expect([namesIn(target.DATA_DIR), existsSync(place)]).toEqual([[], false]);
  });
});

test("a restore that is interrupted leaves nothing behind, and can be made again", async () => {
  const { dataDir, env, archive } = await installation();
  writeFileSync(path.join(dataDir, "noise"), randomBytes(3_000_000));
  await backupTo(env, archive);
  const target = elsewhere();
  mkdirSync(target.DATA_DIR);
  const stopping = new AbortController();
  const restored = restoreArchive({
    ...{ file: archive, key: null, dataDir: target.DATA_DIR, database: databaseFile(target), ignored: [], signal: stopping.signal },
    // Called after the restore has begun to read.
    knows() {
      stopping.abort();
      return true;
    },
  });
  await expect(restored).rejects.toThrow("abort");
  expect(namesIn(target.DATA_DIR)).toEqual([]);
  expect((await restoreFrom(target, archive)).files.length).toBeGreaterThan(4);
});

test("a restore ignores archives in the data folder, and what a killed restore left", async () => {
  const { env, dataDir, archive } = await installation();
  await backupTo(env, archive);
  rmSync(dataDir, { recursive: true });
  const BACKUP_DIR = path.join(dataDir, "backups");
  mkdirSync(path.join(dataDir, ".restore-abc"), { recursive: true });
  mkdirSync(BACKUP_DIR);
  expect((await restoreFrom({ ...env, BACKUP_DIR }, archive)).files.length).toBeGreaterThan(4);
  const { manifest } = await backupInto({ ...env, BACKUP_DIR }, BACKUP_DIR);
  expect(manifest.files.filter((file) => file.path.startsWith("backups"))).toEqual([]);
});

test("a link to a folder is not followed, one to a file is", async () => {
  const { folder, env, dataDir, archive } = await installation();
  rmSync(path.join(dataDir, "session-secret"));
  writeFileSync(path.join(folder, "mounted-secret"), SECRET);
  symlinkSync(path.join(folder, "mounted-secret"), path.join(dataDir, "session-secret"));
  symlinkSync("/etc", path.join(dataDir, "etc"));
  const paths = (await backupTo(env, archive)).files.map((file) => file.path);
  expect(paths).toContain("session-secret");
  expect(paths.filter((each) => each.startsWith("etc"))).toEqual([]);
});

test("a folder gets as many as BACKUP_KEEP says", async () => {
  const { env, folder } = await installation({ BACKUP_KEEP: "2" });
  const target = path.join(folder, "archives");
  mkdirSync(target);
  const old = [3, 2, 1].map((days) => archiveName(Date.now() - days * 86_400_000, false));
  for (const name of old) writeFileSync(path.join(target, name), "");
  const { file } = await backupInto(env, target);
  expect(namesIn(target)).toEqual([old.at(-1), path.basename(file)]);
});

test("the archive that was just made stays, also after the clock was put back", async () => {
  const { env, folder } = await installation({ BACKUP_KEEP: "1" });
  const later = [archiveName(Date.now() + 1_800_000, false), archiveName(Date.now() + 400 * 86_400_000, false)];
  for (const name of later) writeFileSync(path.join(folder, name), "");
  const { file } = await backupInto(env, folder);
  expect(namesIn(folder).filter((name) => name.endsWith(".gz"))).toEqual([path.basename(file), later[1]]);
});

test("an archive counts as made, also if old ones cannot be deleted", async () => {
  const { env, folder } = await installation({ BACKUP_KEEP: "1" });
  // A folder with this name cannot be deleted like a file.
  mkdirSync(path.join(folder, archiveName(Date.now() - 86_400_000, false)));
  const { file, rotationError } = await backupInto(env, folder);
  expect([existsSync(file), rotationError]).toEqual([true, expect.any(Error)]);
});

describe("a server that makes backups", () => {
  function start(env: Env) {
    const told: string[] = [];
    const log = { info: () => {}, error: ({ err }: { err: Error }) => void told.push(err.message) };
    const backups = startBackups(env, log as unknown as Logger);
    onTestFinished(() => backups?.stop());
    return { told, state: () => backups?.state() };
  }

  test("starts without their folder, says so, and creates none on a disk that is not mounted", async () => {
    const { env, folder } = await installation();
    const disk = path.join(folder, "disk");
    const { told, state } = start({ ...env, BACKUP_DIR: path.join(disk, "archives") });
    await expect.poll(state).toBe("failed");
    expect(told).toEqual([`${disk}/archives can hold no archives: mount its disk, or create ${disk}.`]);
    expect(existsSync(disk)).toBe(false);
    await expect(backupInto(env, path.join(disk, "archives"))).rejects.toThrow("mount its disk");
  });

  test("starts with a file in the place of their folder, and says so", async () => {
    const { env, folder } = await installation();
    const { told, state } = start({ ...env, BACKUP_DIR: path.join(folder, "key") });
    await expect.poll(state).toBe("failed");
    expect(told).toEqual([expect.stringMatching(/can hold no archives: ENOTDIR/)]);
  });

  test("does not start without a usable key, or with the data folder as theirs", async () => {
    const { env, folder, dataDir } = await installation();
    expect(() => startBackups({ ...env, BACKUP_KEY_FILE: path.join(folder, "none") }, {} as Logger)).toThrow(/^BACKUP_KEY_FILE is unusable/);
    expect(() => startBackups({ ...env, BACKUP_DIR: dataDir }, {} as Logger)).toThrow(/^BACKUP_DIR is unusable: it wants another folder than DATA_DIR/);
  });
});
