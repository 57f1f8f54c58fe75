import type { DiskState } from "./storage.server";

export interface Health {
  ok: boolean;
  database: "ok" | "failed";
  scanner: "ok" | "failed";
  /** State of the last check, some seconds ago; `low` stops only new scans. */
  disk: DiskState;
  /** Result of the last attempt; missing if the server makes no backups. */
  backup?: "ok" | "failed";
}
