import { access, constants, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { BackupProblem } from "./backup-problem";
import { DAY_MS, HOUR_MS } from "~/platform/durations";
import { removeOlder } from "~/platform/file-safety.server";
import { fileTime } from "./file-time";

const NAME = /^rampe-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(\.enc)?$/;
const DRAFT = /^rampe-\d{8}T\d{6}Z\.tar\.gz(\.enc)?\..+\.part$/;
/** Age of temporary files that a killed process has left. */
const LEFT_BEHIND_MS = DAY_MS;
/** The same for copies of the database: a process in a crash loop makes one each time. No backup takes that long. */
const COPIES_LEFT_BEHIND_MS = 6 * HOUR_MS;
/** Archives further in the future were made with a wrong clock, or are not ours. */
const MOST_AHEAD_MS = HOUR_MS;

/** File name such as `rampe-20261127T021500Z.tar.gz`. @param at Unix time in ms */
export function archiveName(at: number, isEncrypted: boolean): string {
  return `rampe-${fileTime(at)}.tar.gz${isEncrypted ? ".enc" : ""}`;
}

/** Time of the newest archive in a folder (Unix time in ms), without those in the future; null if there is none. */
export async function newestArchive(folder: string, now = Date.now()): Promise<number | null> {
  const [newest] = await archives(folder, now);
  return newest === undefined ? null : timeOf(newest);
}

export interface Rotation {
  /** Number of archives to keep, including the new one. */
  keep: number;
  /** Name of the new archive: it is kept, also if the clock was set back. */
  made: string;
  /** Unix time in ms. */
  now?: number;
}

/** Deletes all archives of a folder except the newest; archives in the future stay. @returns the names of the deleted ones */
export async function rotateArchives(folder: string, { keep, made, now = Date.now() }: Rotation): Promise<string[]> {
  const old = (await archives(folder, now)).filter((name) => name !== made).slice(keep - 1);
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}

/** Deletes temporary files of killed processes in the data folder, and next to a new archive. */
export async function removeLeftovers(dataDir: string, file: string, now = Date.now()): Promise<void> {
  const folder = path.dirname(file);
  const isDraft = (name: string) => DRAFT.test(name) || (name.startsWith(`${path.basename(file)}.`) && name.endsWith(".part"));
  await removeOlder(dataDir, (name) => name.startsWith(".backup-"), now - COPIES_LEFT_BEHIND_MS);
  await removeOlder(dataDir, (name) => name.startsWith(".restore-"), now - LEFT_BEHIND_MS);
  await removeOlder(folder, isDraft, now - LEFT_BEHIND_MS);
}

/**
 * Creates the folder if it is missing. Its parent must exist: otherwise, archives for an unmounted disk would be on another one.
 * @throws {BackupProblem}
 */
export async function makeArchiveFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await readdir(folder);
    await access(folder, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const parent = path.dirname(path.resolve(folder));
    throw new BackupProblem(`${folder} can hold no archives: ${code === "ENOENT" ? `mount its disk, or create ${parent}` : message}.`);
  }
}

/** Names of the archives, the newest first, without those in the future. */
async function archives(folder: string, now: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name) && timeOf(name) <= now + MOST_AHEAD_MS);
  return names.sort((one, other) => timeOf(other) - timeOf(one));
}

/** Time of an archive (Unix time in ms). @param name of an archive */
function timeOf(name: string): number {
  const [, ...parts] = NAME.exec(name) ?? [];
  const [year = 0, month = 0, day = 0, ...time] = parts.slice(0, 6).map(Number);
  return Date.UTC(year, month - 1, day, ...time);
}
