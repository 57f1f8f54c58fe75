import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/** Temporary folders and files, and copies of the database that an update has made. */
const NOT_KEPT = [/^\.(backup|restore)-/, /^before-update_/, /\.part$/, /^lost\+found$/];

export const isKept = (name: string): boolean => !NOT_KEPT.some((each) => each.test(name));

/**
 * All files in the data folder that a backup needs, by their relative path; links to files count as files.
 * @param excluded paths of files and folders to exclude
 */
export async function dataFiles(folder: string, excluded: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  await collect("");
  return found.sort();

  async function collect(below: string): Promise<void> {
    for (const entry of await readdir(path.join(folder, below), { withFileTypes: true })) {
      const name = path.posix.join(below, entry.name);
      const file = path.join(folder, name);
      if (!isKept(entry.name) || excluded.has(path.resolve(file))) continue;
      if (entry.isDirectory()) await collect(name);
      // A secret may be mounted as a link; links to folders are not followed, as their target may be anywhere.
      else if ((await stat(file).catch(() => null))?.isFile()) found.push(name);
    }
  }
}
