import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import { openSnapshot } from "db/snapshot.server";
import { randomId } from "~/platform/crypto/tokens.server";
import { encryption } from "./archive-cipher.server";
import { BackupProblem } from "./backup-problem";
import { dataFiles } from "./data-files.server";
import { checksumOf, syncToDisk } from "~/platform/file-safety.server";
import { writeManifest, type Manifest } from "./manifest.server";
import { requireFreeSpace } from "./free-space.server";
import { writeInto } from "./write-into.server";

export interface Installation {
  dataDir: string;
  /** Main SQLite file; it may be outside of the data folder. */
  database: string;
  /** Further SQLite files in the data folder, if they exist. */
  otherDatabases: string[];
  /** Folders in the data folder that are not part of archives. */
  excluded: string[];
  secret: Manifest["secret"];
  version: string;
  /** Free space to leave for the running server. */
  spareBytes: number;
}

export interface ArchiveOptions {
  /** Path of a new file in an existing folder. */
  file: string;
  /** Content of the key file; null: not encrypted. */
  key: string | null;
  signal?: AbortSignal;
  /** Unix time in ms. */
  now?: number;
}

/**
 * Writes one archive of an installation, also while its server is running: a tar file, compressed and perhaps encrypted.
 * Atomic: the file is complete, or does not exist.
 * @throws {BackupProblem}
 */
export async function writeArchive(installation: Installation, options: ArchiveOptions): Promise<Manifest> {
  const { file, key, signal } = options;
  await requireNewFile(file);
  const copies = await mkdtemp(path.join(installation.dataDir, ".backup-"));
  const draft = `${file}.${randomId()}.part`;
  try {
    const { manifest, text } = await copyAll(installation, copies, options);
    const archive = pack();
    const entries = addEntries(archive, { manifest: text, copies, files: manifest.files }, signal);
    // The archive ends with the same error.
    entries.catch((error: Error) => archive.destroy(error));
    const source = Readable.from(archive);
    const gzip = createGzip();
    const target = createWriteStream(draft, { flags: "wx", mode: 0o600 });
    await (key === null ? pipeline(source, gzip, target, { signal }) : pipeline(source, gzip, encryption(key), target, { signal }));
    await entries;
    await syncToDisk(draft);
    await rename(draft, file);
    await syncToDisk(path.dirname(file));
    return manifest;
  } finally {
    await rm(draft, { force: true });
    await rm(copies, { recursive: true, force: true });
  }
}

/** Protects another file from a mistyped name. */
async function requireNewFile(file: string): Promise<void> {
  const folder = path.dirname(path.resolve(file));
  if (!(await exists(folder))) throw new BackupProblem(`There is no folder ${folder}: create it first.`);
  if (!(await exists(file))) return;
  throw new BackupProblem(`${file} exists already and is never replaced: choose another name, or a folder with "--to FOLDER", which keeps the newest archives.`);
}

/** Copies everything to one place first: an archive begins with the checksums of its files. */
async function copyAll(installation: Installation, copies: string, { signal, now = Date.now() }: ArchiveOptions) {
  const { dataDir, version, secret } = installation;
  const main = nameIn(dataDir, installation.database);
  const databases = new Map([[main, installation.database]]);
  for (const each of installation.otherDatabases) if (await exists(each)) databases.set(nameIn(dataDir, each), each);
  const places = [...databases].flatMap(([name, file]) => [path.join(dataDir, name), file]);
  const ofDatabases = places.flatMap((each) => ["", "-wal", "-shm", "-journal"].map((part) => path.resolve(each + part)));
  const others = await dataFiles(dataDir, new Set([...ofDatabases, ...installation.excluded.map((each) => path.resolve(each))]));

  let migration = "";
  for (const [name, file] of databases) {
    const snapshot = openSnapshot(file);
    try {
      await requireFreeSpace(dataDir, snapshot.bytes + installation.spareBytes, "A backup");
      if (name === main) migration = snapshot.migrations.at(-1) ?? "";
      await mkdir(path.dirname(path.join(copies, name)), { recursive: true });
      await snapshot.copyTo(path.join(copies, name), signal);
    } finally {
      snapshot.close();
    }
  }
  const files: Manifest["files"] = [];
  for (const name of others) if (await copyIfThere(path.join(dataDir, name), path.join(copies, name))) files.push(await fileOf(copies, name, signal));
  for (const name of databases.keys()) files.push(await fileOf(copies, name, signal));
  const manifest = { version, migration, createdAt: new Date(now).toISOString(), database: main, secret, files };
  return { manifest: { format: 1 as const, ...manifest }, text: writeManifest(manifest) };
}

const nameIn = (dataDir: string, file: string) => {
  const name = path.relative(dataDir, file);
  return name.startsWith("..") || path.isAbsolute(name) ? path.basename(file) : name.split(path.sep).join("/");
};

const exists = (file: string) => stat(file).then(() => true, () => false);

/** A file may be gone: mails are deleted after a time. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  await mkdir(path.dirname(to), { recursive: true });
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

async function fileOf(folder: string, name: string, signal?: AbortSignal): Promise<Manifest["files"][number]> {
  const file = path.join(folder, name);
  return { path: name, bytes: (await stat(file)).size, sha256: await checksumOf(file, signal) };
}

async function addEntries(archive: Pack, content: { manifest: string; copies: string; files: Manifest["files"] }, signal?: AbortSignal): Promise<void> {
  archive.entry({ name: "manifest.json", mode: 0o600 }, content.manifest);
  for (const { path: name, bytes } of content.files) {
    signal?.throwIfAborted();
    await addEntry(archive, { name: `data/${name}`, size: bytes, mode: 0o600 }, path.join(content.copies, name));
  }
  archive.finalize();
}

function addEntry(archive: Pack, header: { name: string; size: number; mode: number }, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = archive.entry(header, (error) => (error ? reject(error) : resolve()));
    writeInto(entry, createReadStream(file)).catch(reject);
  });
}
