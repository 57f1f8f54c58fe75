import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Identifies a process on its host, also among processes that had the same number (pid). */
export interface WorkerId {
  host: string;
  pid: number;
  /** Differs between two processes with the same pid, such as 1 in a restarted container. */
  start: string;
}

/** @param host several machines may have the same name: see `machineName` */
export function thisProcess(host = hostname()): WorkerId {
  return { host, pid: process.pid, start: performance.timeOrigin.toString(36) };
}

/** Names a machine, or a container on it, between two of its starts: process numbers are those of the others there. */
export function machineName(): string {
  try {
    const parts = [hostname(), readFileSync("/proc/sys/kernel/random/boot_id", "utf8"), readlinkSync("/proc/self/ns/pid")];
    return createHash("sha256").update(parts.join(" ")).digest("base64url").slice(0, 16);
  } catch {
    // Not Linux.
    return hostname();
  }
}

/** Value of `job.leased_by`: the worker and its claim. */
export function leaseName({ host, pid, start }: WorkerId, claim: string): string {
  return [host, pid, start, claim].join("/");
}

/** True when the lease holder was a process of this worker's host and is certainly gone. */
export function isGone(leasedBy: string, self: WorkerId): boolean {
  const [host, pid, start] = leasedBy.split("/");
  if (host !== self.host) return false;
  if (Number(pid) === self.pid) return start !== self.start;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive, under another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
