import { statfs } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { migrations } from "db/migrations/index";
import { readKey } from "~/administration/backup/archive-cipher.server";
import { archiveName, makeArchiveFolder, newestArchive, removeLeftovers, rotateArchives } from "~/administration/backup/archive-folder.server";
import { writeArchive, type Installation } from "~/administration/backup/archive.server";
import { BackupProblem } from "~/administration/backup/backup-problem";
import type { Manifest } from "~/administration/backup/manifest.server";
import { startNightlyBackups, type NightlyBackups } from "~/administration/backup/nightly-backups.server";
import { restoreArchive } from "~/administration/backup/restore.server";
import { InvalidSetting, type Env } from "~/platform/env.server";
import { readStorageAddress } from "~/platform/objects/storage-address";
import { VERSION } from "~/platform/product-name.server";
import { usesPostgres } from "./postgres-database.server";
import { cashierFile, createDataFolder, databaseFile, requireDatabase } from "./database.server";
import { spareBytes } from "./disk-space.server";

const NO_ARCHIVE = "archives hold an SQLite database. Back up and restore PostgreSQL with pg_dump and pg_restore, and DATA_DIR as files.";

/**
 * Backups of the running server; null without `BACKUP_DIR`.
 * An unusable folder does not stop the start: its disk may be mounted later.
 * @throws {InvalidSetting} without a usable key, and if the folder is the data folder
 */
export function startBackups(env: Env, log: Logger): NightlyBackups | null {
  const { BACKUP_DIR: folder } = env;
  requireBackupSettings(env);
  if (folder === undefined) return null;
  return startNightlyBackups({
    async newest() {
      await makeArchiveFolder(folder);
      return newestArchive(folder);
    },
    async make(signal) {
      const { file, manifest, rotationError } = await backupInto(env, folder, signal);
      log.info({ file, files: manifest.files.length }, "a backup was made");
      // Only logged, because the archive exists: a retry in an hour would only fill the disk.
      if (rotationError) log.error({ err: rotationError }, "old backups could not be deleted");
    },
    onError: (error) => log.error({ err: error }, "no backup could be made"),
  });
}

/** @throws {InvalidSetting} without a usable key, and if the folder is the data folder */
export function requireBackupSettings(env: Env): void {
  if (env.BACKUP_DIR !== undefined && usesPostgres(env)) throw new InvalidSetting(`BACKUP_DIR is unusable: ${NO_ARCHIVE}`);
  try {
    keyOf(env);
  } catch (error) {
    throw new InvalidSetting((error as BackupProblem).message);
  }
  const { BACKUP_DIR: folder } = env;
  if (folder !== undefined && path.resolve(folder) === path.resolve(env.DATA_DIR)) throw new InvalidSetting("BACKUP_DIR is unusable: it wants another folder than DATA_DIR.");
}

/**
 * Adds an archive to a folder, and deletes the oldest ones beyond `BACKUP_KEEP`.
 * @returns `rotationError`: error while deleting them
 * @throws {BackupProblem} @throws {InvalidSetting}
 */
export async function backupInto(env: Env, folder: string, signal?: AbortSignal): Promise<{ file: string; manifest: Manifest; rotationError?: unknown }> {
  const now = Date.now();
  await makeArchiveFolder(folder);
  const file = path.join(folder, archiveName(now, env.BACKUP_KEY_FILE !== undefined));
  const manifest = await backupTo(env, file, signal);
  const rotationError = await rotateArchives(folder, { keep: env.BACKUP_KEEP, made: path.basename(file), now }).then(() => undefined, (error: unknown) => error);
  return { file, manifest, rotationError };
}

/** Writes one archive. @throws {BackupProblem} @throws {InvalidSetting} */
export async function backupTo(env: Env, file: string, signal?: AbortSignal): Promise<Manifest> {
  if (usesPostgres(env)) throw new BackupProblem(`There is no archive: ${NO_ARCHIVE}`);
  requireDatabase(env);
  const folder = path.dirname(path.resolve(file));
  if (isIn(folder, env.DATA_DIR) && !(env.BACKUP_DIR && isIn(folder, env.BACKUP_DIR))) {
    throw new BackupProblem(`${file} lies in DATA_DIR and would be lost together with it: choose another folder, best on another disk.`);
  }
  await removeLeftovers(env.DATA_DIR, path.resolve(file));
  return writeArchive(await installationOf(env), { file, key: keyOf(env), signal });
}

/**
 * Restores an archive into the data folder, which must be empty.
 * @throws {BackupProblem} @throws {InvalidSetting}
 */
export async function restoreFrom(env: Env, file: string, signal?: AbortSignal): Promise<Manifest> {
  if (usesPostgres(env)) throw new BackupProblem(`Nothing was restored: ${NO_ARCHIVE}`);
  createDataFolder(env);
  return restoreArchive({
    file,
    key: keyOf(env),
    dataDir: env.DATA_DIR,
    database: databaseFile(env),
    ignored: foldersApart(env).map((folder) => path.resolve(folder)),
    knows: (migration) => Object.hasOwn(migrations, migration),
    signal,
  });
}

async function installationOf(env: Env): Promise<Installation> {
  const { blocks, bsize } = await statfs(env.DATA_DIR);
  return {
    dataDir: env.DATA_DIR,
    database: databaseFile(env),
    otherDatabases: [cashierFile(env)],
    excluded: foldersApart(env),
    secret: env.SESSION_SECRET ? "configuration" : "file",
    version: VERSION,
    spareBytes: spareBytes(env, blocks * bsize),
  };
}

/** Folders that may be in `DATA_DIR`, but do not belong to archives. */
function foldersApart({ BACKUP_DIR, STORAGE_URL }: Env): string[] {
  const storage = STORAGE_URL === undefined ? null : readStorageAddress(STORAGE_URL);
  return [BACKUP_DIR, storage?.kind === "folder" ? storage.folder : undefined].filter((folder) => folder !== undefined);
}

const keyOf = ({ BACKUP_KEY_FILE: file }: Env) => (file === undefined ? null : readKey(file));

function isIn(folder: string, parent: string): boolean {
  const relative = path.relative(path.resolve(parent), path.resolve(folder));
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}
