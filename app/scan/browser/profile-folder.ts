import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname, tmpdir, userInfo } from "node:os";
import path from "node:path";

/**
 * Makes an empty folder for a browser's profile, with the owning process in its name: a killed process leaves it behind,
 * and the next process can remove it (`removeLeftovers`).
 */
export function makeProfileFolder(): string {
  return mkdtempSync(path.join(ownFolder() ?? tmpdir(), `${owner(process.pid)}-`));
}

export async function removeProfileFolder(folder: string): Promise<void> {
  // The browser may still write its last files during the removal.
  await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 }).catch(() => {});
}

/** Removes profiles of ended processes on this machine. */
export async function removeLeftovers(): Promise<void> {
  const parent = ownFolder();
  if (!parent) return;
  const mine = new RegExp(`^${owner("(\\d+)").replaceAll(".", "\\.")}-`);
  for (const name of readdirSync(parent)) {
    const pid = mine.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) await removeProfileFolder(path.join(parent, name));
  }
}

/** Owner as host name and pid: containers may share the folder, but not their process ids. */
const owner = (pid: number | string) => `${hostname()}-${pid}`;

/** Undefined if the folder could belong to another user: all users may make folders there. */
function ownFolder(): string | undefined {
  const folder = path.join(tmpdir(), `rampe-browsers-${userInfo().uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isPrivate = process.platform === "win32" || (uid === userInfo().uid && (mode & 0o022) === 0);
    return isPrivate && lstatSync(folder).isDirectory() ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
