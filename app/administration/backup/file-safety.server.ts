import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

/** SHA-256 of a file, in hexadecimal digits. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Makes a file, or the names in a folder, survive a power cut. */
export async function syncToDisk(place: string): Promise<void> {
  const handle = await open(place, "r");
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
