import type { Generated } from "kysely";
import type { JsonText } from "./json-text";

export interface ServiceTables {
  job: JobTable;
  print: PrintTable;
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
  /** Failed attempts (without process crashes), and the running one. */
  attempts: Generated<number>;
  max_attempts: Generated<number>;
  /** Same as in `known_address`, for a job that visits one page. */
  deaths: Generated<number>;
  /** Kind of the running visit, which may be the cause if the process ends. */
  visiting: Generated<"beside" | "alone" | null>;
  /** Owner of the job; parties take turns (`database-queue.server.ts`). */
  party: Generated<string>;
  /** Queue position: jobs with a smaller number go first, then the older job. */
  turn: Generated<number>;
  /** Jobs with the same lane run one at a time; null: no lane. */
  lane: Generated<string | null>;
  /** Earliest start; 0: at once. */
  run_at: number;
  lease_until: number | null;
  heartbeat_at: number | null;
  /** Lease holder: host, process, its start and the claim. Only the lease holder may finish the job. */
  leased_by: string | null;
  created_at: number;
  finished_at: number | null;
  error: string | null;
}

/** A document that a process without a browser wants to be printed; deleted by the same. */
interface PrintTable {
  id: string;
  html: string;
  /** Null until it is printed. */
  pdf: Uint8Array | null;
  /** Why it could not be printed. */
  error: string | null;
  created_at: number;
}

/** Attempts of all processes, as the package `rate-limiter-flexible` counts them. */
interface RateLimitTable {
  /** The limit, and the keyed hash of who is limited. */
  key: string;
  points: number;
  /** Unix time in ms. */
  expire: number | null;
}

interface ProbeTable {
  id: number;
  at: number;
}

/** One row, made when an object store is used for the first time. */
interface StorageMarkTable {
  id: number;
  /** The same as in the object store. */
  mark: string;
}

interface SecretMarkTable {
  id: number;
  /** Sealed with the secret of the last start. */
  sealed: string;
}
