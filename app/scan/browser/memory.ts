import { readFileSync } from "node:fs";

/**
 * Bytes that can still be used on this machine, or in this container, without anything having to give way; Infinity
 * where only Linux' files could tell.
 */
export function availableMemory(read: (path: string) => string = readText): number {
  return Math.min(ofMachine(read), ofContainer(read));
}

/** Bytes that processes have for themselves alone; 0 where that cannot be told. */
export function privateMemory(pids: number[], read: (path: string) => string = readText): number {
  return pids.reduce((sum, pid) => sum + kilobytes(read, `/proc/${pid}/status`, "RssAnon", 0), 0);
}

const ofMachine = (read: (path: string) => string) => kilobytes(read, "/proc/meminfo", "MemAvailable", Infinity);

/** Control groups, version 2. What is cached of files is given back when it is needed. */
function ofContainer(read: (path: string) => string): number {
  try {
    const limit = Number(read("/sys/fs/cgroup/memory.max"));
    const used = Number(read("/sys/fs/cgroup/memory.current"));
    const cached = Number(/^inactive_file (\d+)$/m.exec(read("/sys/fs/cgroup/memory.stat"))?.[1] ?? 0);
    // No limit is written as `max`.
    return Number.isNaN(limit) ? Infinity : limit - used + cached;
  } catch {
    return Infinity;
  }
}

function kilobytes(read: (path: string) => string, path: string, name: string, otherwise: number): number {
  try {
    const value = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(read(path))?.[1];
    return value === undefined ? otherwise : Number(value) * 1_024;
  } catch {
    return otherwise;
  }
}

const readText = (path: string) => readFileSync(path, "utf8");
