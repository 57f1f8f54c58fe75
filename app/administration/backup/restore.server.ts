import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, lstat, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Extract } from "tar-stream";
import { randomId } from "~/platform/crypto/tokens.server";
import { decryption, HEAD_BYTES, isArchive, isEncrypted } from "./archive-cipher.server";
import { storageTrouble } from "~/platform/storage-trouble";
import { BackupProblem } from "./backup-problem";
import { isKept } from "./data-files.server";
import { headOf, syncToDisk } from "~/platform/file-safety.server";
import { readManifest, type Manifest } from "./manifest.server";
import { requireFreeSpace } from "./free-space.server";
import { writeInto } from "./write-into.server";

const LARGEST_MANIFEST_BYTES = 50_000_000;

export interface RestoreOptions {
  file: string;
  /** Content of the key file; null if there is none. */
  key: string | null;
  /** An existing folder without files. */
  dataDir: string;
  /** Path of the main database; it may be outside of the data folder. */
  database: string;
  /** Folders in the data folder that may have content, such as archives. */
  ignored: string[];
  /** Whether this version knows a migration. */
  knows(migration: string): boolean;
  /** Aborts the restore; then nothing is restored. */
  signal?: AbortSignal;
}

/**
 * Atomic: restores an archive into an empty data folder, completely or not at all.
 * @throws {BackupProblem}
 */
export async function restoreArchive(options: RestoreOptions): Promise<Manifest> {
  const { dataDir, database, signal } = options;
  await requireEmpty(options);
  const folder = await mkdtemp(path.join(dataDir, ".restore-"));
  try {
    const manifest = await unpack(options, folder);
    signal?.throwIfAborted();
    const restored = path.join(folder, manifest.database);
    // The database comes last: without it, a restore does not look complete.
    if (path.resolve(database) === path.resolve(dataDir, manifest.database)) await moveAll(folder, dataDir, manifest.database);
    else await withCopyBeside(restored, database, () => moveAll(folder, dataDir), signal);
    await syncToDisk(dataDir);
    return manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireEmpty({ dataDir, database, ignored }: RestoreOptions): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => isKept(name) && !ignored.includes(path.resolve(dataDir, name)));
  if (names.length > 0) {
    throw new BackupProblem(`${path.resolve(dataDir)} is not empty (${names[0]}): stop the server, move what is there to another folder, and restore again.`);
  }
  // SQLite would write the changes of another database's journal into the restored one.
  for (const part of ["", "-wal", "-shm", "-journal"]) {
    if (!(await lstat(database + part).catch(() => null))) continue;
    const what = part === "" ? `a database at ${database}` : `${database + part}, a part of another database,`;
    throw new BackupProblem(`There is ${what} already: stop the server, move it to another folder, and restore again.`);
  }
}

/** @param last path of the file that is moved last */
async function moveAll(folder: string, to: string, last = ""): Promise<void> {
  const [top] = last.split("/");
  const names = await readdir(folder);
  for (const name of [...names.filter((each) => each !== top), ...names.filter((each) => each === top)]) {
    await rename(path.join(folder, name), path.join(to, name));
  }
}

/** Copies a file to another disk; renames the copy to its final name only after `work`. */
async function withCopyBeside(from: string, to: string, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  const draft = `${to}.${randomId()}.part`;
  try {
    await copyFile(from, draft);
    await syncToDisk(draft);
    signal?.throwIfAborted();
    await rm(from);
    await work();
    await rename(draft, to);
    await syncToDisk(path.dirname(to));
  } finally {
    await rm(draft, { force: true });
  }
}

async function unpack(options: RestoreOptions, folder: string): Promise<Manifest> {
  const archive = extract();
  const fed = feed(archive, options);
  // The loop below ends with the same error.
  fed.catch((error: Error) => archive.destroy(error));
  let manifest: Manifest | undefined;
  const restored = new Set<string>();
  try {
    for await (const entry of archive) {
      if (manifest) await restoreEntry(entry, { manifest, folder, restored, signal: options.signal });
      else manifest = await readFirst(entry, options, folder);
    }
    await fed;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof BackupProblem) throw error;
    const { message } = error as Error;
    // The archive itself is not damaged.
    if (storageTrouble(error)) throw new BackupProblem(`The archive could not be written to the data folder (${message}): nothing was restored.`);
    throw damaged(message);
  }
  if (!manifest) throw damaged("it is empty");
  const missing = manifest.files.find((file) => !restored.has(file.path));
  if (missing) throw damaged(`${missing.path} is missing`);
  return manifest;
}

async function feed(archive: Extract, { file, key, signal }: RestoreOptions): Promise<void> {
  const head = await headOf(file, HEAD_BYTES).catch((error: Error) => {
    throw new BackupProblem(`${file} cannot be read: ${error.message}.`);
  });
  if (!isArchive(head)) throw new BackupProblem(`${file} is no archive of Rampe.`);
  const bytes = createReadStream(file);
  const write = (source: AsyncIterable<Buffer>) => writeInto(archive, source);
  if (!isEncrypted(head)) return pipeline(bytes, createGunzip(), write, { signal });
  if (key === null) throw new BackupProblem(`${file} is encrypted: set BACKUP_KEY_FILE to the file with the key it was made with.`);
  return pipeline(bytes, decryption(key), createGunzip(), write, { signal });
}

type Entry = Extract extends AsyncIterable<infer Each> ? Each : never;

async function readFirst(entry: Entry, { knows }: RestoreOptions, folder: string): Promise<Manifest> {
  const { name, type, size } = entry.header;
  if (name !== "manifest.json" || type !== "file" || size > LARGEST_MANIFEST_BYTES) throw damaged("it has no list of its files");
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  const manifest = readManifest(Buffer.concat(chunks).toString("utf8"));
  if (!knows(manifest.migration)) {
    throw new BackupProblem(`The archive was made by Rampe ${manifest.version}, which is newer than this version: restore it with that version.`);
  }
  await requireFreeSpace(folder, manifest.files.reduce((sum, { bytes }) => sum + bytes, 0), "The archive");
  return manifest;
}

interface Restored {
  manifest: Manifest;
  folder: string;
  restored: Set<string>;
  signal?: AbortSignal;
}

/** Restores only files of the manifest: no links, and no paths outside of the folder. */
async function restoreEntry(entry: Entry, { manifest, folder, restored, signal }: Restored): Promise<void> {
  const { name, type, size } = entry.header;
  const listed = manifest.files.find((file) => `data/${file.path}` === name);
  if (!listed || type !== "file" || restored.has(listed.path)) throw damaged(`${JSON.stringify(name)} does not belong there`);
  if (size !== listed.bytes) throw damaged(`${listed.path} has another size`);
  const target = path.join(folder, listed.path);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  await pipeline(
    Readable.from(entry),
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(target, { flags: "wx", mode: 0o600 }),
    { signal },
  );
  await syncToDisk(target);
  if (hash.digest("hex") !== listed.sha256) throw damaged(`${listed.path} has another checksum`);
  restored.add(listed.path);
}

const damaged = (what: string) => new BackupProblem(`The archive is damaged (${what}): nothing was restored. Use another one.`);
