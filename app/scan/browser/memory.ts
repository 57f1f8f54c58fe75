import { readFileSync } from "node:fs";

/**
 * Available memory of this machine or container in bytes, without swapping or ending processes; Infinity if unknown (not
 * on Linux).
 */
export function availableMemory(read: (path: string) => string = readText): number {
  return Math.min(ofMachine(read), ofContainer(read));
}

/** Private memory of processes in bytes; 0 if unknown. */
export function privateMemory(pids: number[], read: (path: string) => string = readText): number {
  return pids.reduce((sum, pid) => sum + kilobytes(read, `/proc/${pid}/status`, "RssAnon", 0), 0);
}

const ofMachine = (read: (path: string) => string) => kilobytes(read, "/proc/meminfo", "MemAvailable", Infinity);

/**
 * Memory left in the control group (version 2): of the container, or of the service, which sees the groups of the whole machine.
 * The file cache counts as free: the system returns it when needed.
 */
function ofContainer(read: (path: string) => string): number {
  try {
    const own = /^0::(\/.*)$/m.exec(read("/proc/self/cgroup"))?.[1] ?? "/";
    const group = `/sys/fs/cgroup${own === "/" ? "" : own}`;
    const limit = Number(read(`${group}/memory.max`));
    const used = Number(read(`${group}/memory.current`));
    const cached = Number(/^inactive_file (\d+)$/m.exec(read(`${group}/memory.stat`))?.[1] ?? 0);
    // `max` means no limit.
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
