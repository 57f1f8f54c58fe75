import type { Generated } from "kysely";
import type { JsonText } from "./json-text";

export interface ServiceTables {
  job: JobTable;
  print: PrintTable;
  remote_check: RemoteCheckTable;
  rate_limit: RateLimitTable;
  secret_mark: SecretMarkTable;
  storage_mark: StorageMarkTable;
  probe: ProbeTable;
}

type JobState = "queued" | "running" | "done" | "failed";

export interface JobTable {
  id: string;
  queue: string;
  run_id: string;
  payload: JsonText;
  state: JobState;
  /** Number of failed attempts (without process crashes), plus the running one. */
  attempts: Generated<number>;
  max_attempts: Generated<number>;
  /** Process crashes as in `known_address`, for a job that visits one page. */
  deaths: Generated<number>;
  /** Kind of the running visit, which may be the cause if the process ends. */
  visiting: Generated<"beside" | "alone" | null>;
  /** Owner of the job; parties take turns (`database-queue.server.ts`). */
  party: Generated<string>;
  /** Queue position: jobs with a smaller number go first, then the older job. */
  turn: Generated<number>;
  /** Jobs with the same lane run one at a time; null: no lane. */
  lane: Generated<string | null>;
  /** Earliest start; 0 for at once. */
  run_at: number;
  lease_until: number | null;
  heartbeat_at: number | null;
  /** Lease holder: host, process, its start and the claim. Only the lease holder may finish the job. */
  leased_by: string | null;
  created_at: number;
  finished_at: number | null;
  error: string | null;
}

/** Document to print for a process without a browser; the same process deletes it. */
interface PrintTable {
  id: string;
  html: string;
  /** Printed document; null before. */
  pdf: Uint8Array | null;
  /** Reason why it could not be printed. */
  error: string | null;
  created_at: number;
}

/** Page of a site that a worker offers to others while all its own slots are taken; the same worker deletes it. */
interface RemoteCheckTable {
  id: string;
  run_id: string;
  /** Request as in `PageRequest`, without functions and access data. */
  request: JsonText;
  /** `stopped` and `died`: the worker that took it ended before its result. */
  state: "waiting" | "taken" | "checked" | "stopped" | "died";
  /** Result, in the format of Node's `v8.serialize`, valid if `checked`; null before. */
  outcome: Uint8Array | null;
  created_at: number;
}

/** Attempts in all processes, in the format of the package `rate-limiter-flexible`. */
interface RateLimitTable {
  /** Name of the limit, and keyed hash of the limited party. */
  key: string;
  points: number;
  /** Unix time in ms. */
  expire: number | null;
}

interface ProbeTable {
  id: number;
  at: number;
}

/** Single row, created at the first use of an object store. */
interface StorageMarkTable {
  id: number;
  /** Mark, equal to that in the object store. */
  mark: string;
}

interface SecretMarkTable {
  id: number;
  /** Mark sealed with the secret of the last start. */
  sealed: string;
}
