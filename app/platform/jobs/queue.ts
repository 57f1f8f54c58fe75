import type { Trx } from "db/schema";

export interface NewJob {
  runId: string;
  /** Plain data, passed to the handler. */
  payload?: unknown;
  /** Owner of the job (`parties.server.ts`): parties take turns. Jobs without a party share one. */
  party?: string;
  /** Lane: jobs of the same lane run one at a time. */
  lane?: string;
}

export interface Job {
  id: string;
  runId: string;
  payload: unknown;
  /** Number of the attempt, from 1. */
  attempt: number;
  party: string;
  /**
   * Process crashes during the visits of this job. All crashes with other visits at the same time count 1 together; each crash
   * during a visit alone counts 1 more. A stop during a visit alone sets the number to 1.
   */
  deaths: number;
}

/** Reason for the return of a job to the queue: its process ended, the queue stopped, or the attempt failed. */
export type PutBack = "died" | "stopped" | "failed";

/** Stores the results of a job. Uses only the given transaction, which also marks the job done. */
export type Commit = (trx: Trx) => Promise<void>;

export interface WorkContext {
  /** Aborted when the work is no longer needed: the lease was lost or the queue stops. */
  signal: AbortSignal;
  /**
   * Stores partial results of a long job while it continues.
   * @param isProgress true resets earlier failures and crashes; false for data that each attempt stores again
   * @throws if the lease was lost; then nothing is stored
   */
  checkpoint(commit: Commit, isProgress?: boolean): Promise<void>;
  /**
   * Marks the begin of a visit that may crash the process. Crashes never count against a job without this mark.
   * @param alone true if no other visit runs at the same time
   */
  visits(alone: boolean): Promise<void>;
  /** Frees the slot for another job, until the returned function is called: this job only waits. */
  pause(): () => void;
}

/** Handler of a job. All effects outside its transactions must be idempotent: they may happen twice. */
export interface JobHandler {
  /**
   * Does the work and resolves with a function that stores it. After a lost lease, nothing is stored; a
   * rejection is a failed attempt.
   */
  work(job: Job, context: WorkContext): Promise<Commit>;
  /** Called in the transaction that puts the job back into the queue. */
  putBack(trx: Trx, job: Job, why: PutBack): Promise<void>;
  /** Called in the transaction that gives up the job after its last attempt. */
  giveUp(trx: Trx, job: Job): Promise<void>;
  /** Called after the commit of any of these transactions. */
  settled?(job: Job): void;
}

/** Durable job queue, fair by party: each job is done once, even if processes crash. */
export interface Queue {
  /** Adds a job in the caller's transaction and resolves with its id; the job may start after the commit. */
  enqueue(trx: Trx, job: NewJob): Promise<string>;
  /** Ends a run's waiting and running jobs in the caller's transaction; running handlers are aborted. */
  cancel(trx: Trx, runId: string): Promise<void>;
  /** Deletes a job that is no longer needed; its running handler is aborted at its next heartbeat. */
  forget(jobId: string): Promise<void>;
  /** Looks for a job at once: this process has time for one again (`WorkOptions.isFree`). */
  look(): void;
  /** Starts processing; also takes over jobs of ended processes of this host. */
  work(handler: JobHandler, options: WorkOptions): Promise<void>;
  /**
   * Grace period: takes no new job, gives running jobs `graceMs` to finish, then aborts them and puts them back without
   * counting the attempt. Resolves at most a second later, even if a handler ignores its signal.
   */
  stop(options: { graceMs: number }): Promise<void>;
  /** Queue position of a run's waiting job, from 1; null if no job waits. */
  position(runId: string): Promise<number | null>;
  /** True if a run's job waits for another job of its lane. */
  isHeldBack(runId: string): Promise<boolean>;
  /** Number of waiting jobs of a party. */
  waiting(trx: Trx, party: string): Promise<number>;
}

export interface WorkOptions {
  /** Maximum of concurrent jobs without paused ones. Also the limit of each party, with paused jobs. */
  concurrency: number;
  /** Extra slots beyond `concurrency`, one for each party without a running job. */
  newcomers?: number;
  /** Asked before each start of a job: false while this process has no time for one. By default true. */
  isFree?: () => boolean;
}
