import type { DiskState } from "~/server/storage/disk-space.server";

/** May requests be sent here? `version` is the product's. */
export type Readiness = { version: string } & ({ ready: true } | { ready: false; reason: "stopping" | "database" });

export interface Health {
  /** Of the product, such as `0.1.0`. */
  version: string;
  ok: boolean;
  database: "ok" | "failed";
  /** Missing if this process scans nothing. */
  scanner?: "ok" | "failed";
  /** Processes that scan for this one; missing if it scans by itself, and while the database does not answer. */
  workers?: number;
  /** State of the last check, some seconds ago; `low` stops only new scans. */
  disk: DiskState;
  /** Result of the last attempt; missing if the server makes no backups. */
  backup?: "ok" | "failed";
  /** Of the object store; missing if there is none. Scans and reports go on without it. */
  storage?: "ok" | "failed";
}
