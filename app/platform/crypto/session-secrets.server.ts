import { randomBytes } from "node:crypto";
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync, fsyncSync } from "node:fs";
import path from "node:path";

const FILE = "session-secret";

/**
 * The secrets of an installation that has configured none: made once, kept in its data folder (mode 600), one a line.
 * The first one signs; older ones below it are still accepted.
 */
export function storedSecrets(dataDir: string): string[] {
  const file = path.resolve(dataDir, FILE);
  mkdirSync(path.dirname(file), { recursive: true });
  const stored = read(file) ?? create(file);
  if (stored.length === 0) throw new Error(`${file} is empty; remove it, and a new one is made`);
  return stored;
}

/** Those of an installation that has configured others since: what they have sealed can still be opened. */
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

/** Whole or not at all, whoever dies or starts at the same time. */
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
