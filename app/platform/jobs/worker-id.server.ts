import { hostname } from "node:os";

/** Identifies a process on its host, also among processes that had the same number (pid). */
export interface WorkerId {
  host: string;
  pid: number;
  /** Differs between two processes with the same pid, such as 1 in a restarted container. */
  start: string;
}

export function thisProcess(): WorkerId {
  return { host: hostname(), pid: process.pid, start: performance.timeOrigin.toString(36) };
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
