import { access, constants, mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { BackupProblem } from "./backup-problem";

const NAME = /^rampe-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(\.enc)?$/;
/** Work that a killed process left behind; no backup takes that long. */
const LEFT_BEHIND_MS = 6 * 3_600_000;

/** Such as `rampe-20261127T021500Z.tar.gz`. @param at Unix time in ms */
export function archiveName(at: number, isEncrypted: boolean): string {
  return `rampe-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "")}.tar.gz${isEncrypted ? ".enc" : ""}`;
}

/** Time of the newest archive of a folder (Unix time in ms); null if there is none. */
export async function newestArchive(folder: string): Promise<number | null> {
  const newest = (await archives(folder))[0];
  const [, ...parts] = NAME.exec(newest ?? "") ?? [];
  const [year = 0, month = 0, day = 0, ...time] = parts.slice(0, 6).map(Number);
  return newest === undefined ? null : Date.UTC(year, month - 1, day, ...time);
}

/** Deletes all archives of a folder but the newest ones. @returns the names of what was deleted */
export async function rotateArchives(folder: string, keep: number): Promise<string[]> {
  const old = (await archives(folder)).slice(keep);
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}

/** Deletes what a killed process left in the data folder, and among the archives. */
export async function removeLeftovers(dataDir: string, folder: string, now = Date.now()): Promise<void> {
  const names = async (place: string, pattern: RegExp) => (await readdir(place)).filter((name) => pattern.test(name)).map((name) => path.join(place, name));
  for (const each of [...(await names(dataDir, /^\.(backup|restore)-/)), ...(await names(folder, /^rampe-.*\.part$/))]) {
    const { mtimeMs } = await stat(each).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now - LEFT_BEHIND_MS) await rm(each, { recursive: true, force: true });
  }
}

/** Creates the folder if it is missing. @throws {BackupProblem} */
export async function makeArchiveFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new BackupProblem(`${folder} can hold no archives: ${(error as Error).message}.`);
  }
}

/** The newest first: their names are in the order of their times. */
async function archives(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => NAME.test(name)).sort((one, other) => (one < other ? 1 : -1));
}
