import type { DiskState } from "~/server/storage/disk-space.server";

/** Readiness for requests, and version of the product. */
export type Readiness = { version: string } & ({ ready: true } | { ready: false; reason: "stopping" | "database" });

export interface Health {
  /** Version of the product, such as `0.1.0`. */
  version: string;
  ok: boolean;
  database: "ok" | "failed";
  /** State of the scanner; missing if this process scans nothing. */
  scanner?: "ok" | "failed";
  /** Number of processes that scan for this one; missing if it scans itself, and while the database does not answer. */
  workers?: number;
  /** State of the last check, some seconds old; `low` stops only new scans. */
  disk: DiskState;
  /** Result of the last backup; missing if the server makes none. */
  backup?: "ok" | "failed";
  /** State of the object store; missing if there is none. Scans and reports work without it. */
  storage?: "ok" | "failed";
}
