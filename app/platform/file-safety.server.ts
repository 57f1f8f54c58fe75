import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

/** SHA-256 of a file, in hexadecimal digits. */
export async function checksumOf(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { signal })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Syncs a file, or the names in a folder, to disk, so that it survives a power cut. */
export async function syncToDisk(place: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform !== "win32") return sync(place, "r");
  // Windows syncs only files that are open for writing; Node cannot open a folder for writing.
  if (!(await stat(place)).isDirectory()) await sync(place, "r+");
}

async function sync(place: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(place, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The first bytes of a file. @throws if it cannot be read */
export async function headOf(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Deletes files and folders of a folder that match and were changed before a time (Unix time in ms). */
export async function removeOlder(folder: string, matches: (name: string) => boolean, before: number): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter(matches)) {
    const place = path.join(folder, name);
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < before) await rm(place, { recursive: true, force: true });
  }
}
