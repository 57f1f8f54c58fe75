import { statfs } from "node:fs/promises";
import { BackupProblem } from "./backup-problem";

const MB = 1_000_000;

/**
 * @param bytes required free space on the disk of the folder
 * @param what first words of the sentence for the operator, such as "A backup"
 * @param remedy another remedy, at the end of the sentence
 * @throws {BackupProblem}
 */
export async function requireFreeSpace(folder: string, bytes: number, what: string, remedy = ""): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new BackupProblem(`${what} wants ${Math.ceil(bytes / MB)} MB of free space in ${folder}, and ${Math.floor(free / MB)} MB are free: make room there${remedy}.`);
}
