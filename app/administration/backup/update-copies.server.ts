import { chmod, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { NewerDatabase, newerOf, pendingOf } from "db/migrate.server";
import { openSnapshot } from "db/snapshot.server";
import { randomId } from "~/platform/crypto/tokens.server";
import { syncToDisk } from "./file-safety.server";
import { wantSpace } from "./want-space.server";

const PREFIX = "before-update_";
const KEPT_MS = 7 * 86_400_000;
/** What an update itself may write. */
const SPARE_BYTES = 50_000_000;

/** Missing migrations of a database, and the copy that was made of it. */
export interface UpdateCopy {
  file: string;
  pending: string[];
}

/**
 * Copies a database into the data folder if migrations are pending. The name has its last migration and the time; a copy
 * of the same state is replaced, so that a start that fails again and again does not fill the disk.
 * @param database an existing file
 * @returns null if nothing is pending, or the database is new
 * @throws {NewerDatabase} @throws {BackupProblem} without enough space
 */
export async function copyBeforeUpdate(database: string, dataDir: string, signal?: AbortSignal): Promise<UpdateCopy | null> {
  const snapshot = openSnapshot(database);
  try {
    const newer = newerOf(snapshot.migrations);
    if (newer.length > 0) throw new NewerDatabase(newer);
    const pending = pendingOf(snapshot.migrations);
    const last = snapshot.migrations.at(-1);
    if (last === undefined || pending.length === 0) return null;
    await wantSpace(dataDir, snapshot.bytes + SPARE_BYTES, "The update copies the database first. This");
    const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const name = `${PREFIX}${last}_${time}.db`;
    const draft = path.join(dataDir, `${name}.${randomId()}.part`);
    try {
      await snapshot.copyTo(draft, signal);
      await chmod(draft, 0o600);
      await syncToDisk(draft);
      await rename(draft, path.join(dataDir, name));
    } finally {
      await rm(draft, { force: true });
    }
    for (const each of await updateCopies(dataDir)) {
      if (each.startsWith(`${PREFIX}${last}_`) && each < name) await rm(path.join(dataDir, each), { force: true });
    }
    return { file: path.join(dataDir, name), pending };
  } finally {
    snapshot.close();
  }
}

/** Names of the copies, the oldest version first. */
export async function updateCopies(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith(PREFIX) && name.endsWith(".db")).sort();
}

/** Deletes copies older than a week. */
export async function deleteOldCopies(dataDir: string, now = Date.now()): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(PREFIX));
  for (const file of names.map((name) => path.join(dataDir, name))) {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now - KEPT_MS) await rm(file, { force: true });
  }
}
