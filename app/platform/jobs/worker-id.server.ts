import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Identity of a process on its host, different from earlier processes with the same number (pid). */
export interface WorkerId {
  host: string;
  pid: number;
  /** Start of the process: differs for the same pid, such as 1 in a restarted container. */
  start: string;
}

/** @param host unique name; several machines may have the same host name: see `machineName` */
export function thisProcess(host = hostname()): WorkerId {
  return { host, pid: process.pid, start: performance.timeOrigin.toString(36) };
}

/** Name of a machine or container, valid until its next start: processes with the same name share one set of process numbers. */
export function machineName(): string {
  try {
    const parts = [hostname(), readFileSync("/proc/sys/kernel/random/boot_id", "utf8"), readlinkSync("/proc/self/ns/pid")];
    return createHash("sha256").update(parts.join(" ")).digest("base64url").slice(0, 16);
  } catch {
    // No Linux.
    return hostname();
  }
}

/** Value of `job.leased_by`: the worker and its claim. */
export function leaseName({ host, pid, start }: WorkerId, claim: string): string {
  return [host, pid, start, claim].join("/");
}

/** True if the lease holder was a process of this worker's host and has ended for certain. */
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
    // EPERM: the process is alive, under another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
