import { randomBytes } from "node:crypto";
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync, fsyncSync } from "node:fs";
import path from "node:path";

const FILE = "session-secret";

/**
 * Secrets of an installation without configured ones: made once, kept in its data folder (mode 600), one per line.
 * The first one signs; older ones below it are still accepted.
 */
export function storedSecrets(dataDir: string): string[] {
  const file = path.resolve(dataDir, FILE);
  mkdirSync(path.dirname(file), { recursive: true });
  const stored = read(file) ?? create(file);
  if (stored.length === 0) throw new Error(`${file} is empty; remove it, and a new one is made`);
  return stored;
}

/** Stored secrets of an installation that configured others later: data sealed with them can still be opened. */
export function earlierSecrets(dataDir: string): string[] {
  return read(path.resolve(dataDir, FILE)) ?? [];
}

function read(file: string): string[] | undefined {
  try {
    return readFileSync(file, "utf8").split(/\s+/).filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Atomic: safe against crashes and concurrent starts (write temp file, link). */
function create(file: string): string[] {
  const draft = `${file}.${process.pid}`;
  const descriptor = openSync(draft, "w", 0o600);
  writeSync(descriptor, `${randomBytes(32).toString("base64url")}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return read(file) ?? [];
}
