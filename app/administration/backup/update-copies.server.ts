import { chmod, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pendingOf, refuseNewer } from "db/migrate.server";
import { openSnapshot } from "db/snapshot.server";
import { randomId } from "~/platform/crypto/tokens.server";
import { DAY_MS } from "~/platform/durations";
import { removeOlder, syncToDisk } from "~/platform/file-safety.server";
import { fileTime } from "./file-time";
import { requireFreeSpace } from "./free-space.server";

const WITHOUT_COPY = ", or copy DATA_DIR to another disk and start with UPDATE_COPY=off";
const PREFIX = "before-update_";
const KEPT_MS = 7 * DAY_MS;
/** Age of an unchanged draft that a killed process has left. */
const LEFT_BEHIND_MS = 600_000;
/** Space that the update itself may need. */
const SPARE_BYTES = 50_000_000;

/** Pending migrations of a database, and the copy made before them. */
export interface UpdateCopy {
  /** Path of the copy; null: copies are off. */
  file: string | null;
  pending: string[];
}

export interface CopyOptions {
  dataDir: string;
  /** `off`: pending migrations are only reported. */
  copies: "on" | "off";
  signal?: AbortSignal;
}

/**
 * Copies a database into the data folder if migrations are pending. The file name has its last migration and the time; a copy
 * of the same state is replaced, so that a server in a crash loop does not fill the disk.
 * @param database an existing file
 * @returns null if nothing is pending, or the database is new
 * @throws {NewerDatabase} @throws {BackupProblem} without enough space
 */
export async function copyBeforeUpdate(database: string, { dataDir, copies, signal }: CopyOptions): Promise<UpdateCopy | null> {
  const snapshot = openSnapshot(database);
  try {
    refuseNewer(snapshot.migrations);
    const pending = pendingOf(snapshot.migrations);
    const last = snapshot.migrations.at(-1);
    if (last === undefined || pending.length === 0) return null;
    if (copies === "off") return { file: null, pending };
    // Before the check of free space: a server in a crash loop must not fill the disk.
    await removeOlder(dataDir, (each) => each.startsWith(PREFIX) && each.endsWith(".part"), Date.now() - LEFT_BEHIND_MS);
    await requireFreeSpace(dataDir, snapshot.bytes + SPARE_BYTES, "The update copies the database first. This", WITHOUT_COPY);
    const name = `${PREFIX}${last}_${fileTime(Date.now())}.db`;
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

/** Names of the copies, the oldest first. */
export async function updateCopies(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith(PREFIX) && name.endsWith(".db")).sort();
}

/** Deletes copies older than a week. */
export async function deleteOldCopies(dataDir: string, now = Date.now()): Promise<void> {
  await removeOlder(dataDir, (name) => name.startsWith(PREFIX), now - KEPT_MS);
}
