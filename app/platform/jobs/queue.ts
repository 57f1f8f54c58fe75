import type { Trx } from "db/schema";

export interface NewJob {
  runId: string;
  /** Plain data for the handler. */
  payload?: unknown;
  /** Party that owns the job (`parties.server.ts`): parties take turns. Jobs without a party share one. */
  party?: string;
  /** Jobs with the same lane run one at a time. */
  lane?: string;
}

export interface Job {
  id: string;
  runId: string;
  payload: unknown;
  /** 1 for the first attempt. */
  attempt: number;
  party: string;
  /**
   * Process crashes during the visits of this job: visits beside others count 1 in total, each visit alone counts 1
   * more. A stop during a visit alone sets it to 1.
   */
  deaths: number;
}

/** Why a job returns to the queue: its process ended, the queue stopped, or the attempt failed. */
export type PutBack = "died" | "stopped" | "failed";

/** Stores the results of a job. Uses only the given transaction, which also marks the job done. */
export type Commit = (trx: Trx) => Promise<void>;

export interface WorkContext {
  /** Aborts when the work is no longer needed: the lease was lost or the queue stops. */
  signal: AbortSignal;
  /**
   * Stores partial results of a long job while it continues.
   * @param isProgress earlier failures and crashes no longer count; false for what each attempt stores again
   * @throws when the lease was lost; then nothing is stored
   */
  checkpoint(commit: Commit, isProgress?: boolean): Promise<void>;
  /**
   * Marks the begin of a visit that may cause a crash of the process. A job without this mark is never blamed.
   * @param alone no other visit runs at the same time
   */
  visits(alone: boolean): Promise<void>;
  /** The job waits without work in this process: another job may use its slot until the returned function is called. */
  pause(): () => void;
}

/** Handler of a job. Everything outside its transactions must be idempotent: it may happen twice. */
export interface JobHandler {
  /**
   * Does the work and resolves with a function that stores it. If the lease was lost meanwhile, nothing is stored; a
   * rejection is a failed attempt.
   */
  work(job: Job, context: WorkContext): Promise<Commit>;
  /** Runs in the transaction that puts the job back into the queue. */
  putBack(trx: Trx, job: Job, why: PutBack): Promise<void>;
  /** Runs in the transaction that gives the job up after its last attempt. */
  giveUp(trx: Trx, job: Job): Promise<void>;
  /** Runs after any of those transactions was committed. */
  settled?(job: Job): void;
}

/** Durable job queue, fair by party: each job is done once, even if processes crash. */
export interface Queue {
  /** Adds a job in the caller's transaction and resolves with its id; it may start as soon as that is committed. */
  enqueue(trx: Trx, job: NewJob): Promise<string>;
  /** Ends a run's waiting and running jobs in the caller's transaction; running handlers are told to stop. */
  cancel(trx: Trx, runId: string): Promise<void>;
  /** Processes jobs; also takes over jobs of processes of this host that are gone. */
  work(handler: JobHandler, options: WorkOptions): Promise<void>;
  /**
   * Grace period: takes no new job, gives running jobs `graceMs` to finish, then aborts them and puts them back without
   * counting the attempt. Resolves at most a second later, even if a handler ignores its signal.
   */
  stop(options: { graceMs: number }): Promise<void>;
  /** Queue position of a run's waiting job: 1 is taken next; null when none is waiting. */
  position(runId: string): Promise<number | null>;
  /** Does a run's job wait for another job of its lane? */
  isHeldBack(runId: string): Promise<boolean>;
  /** Number of waiting jobs of a party. */
  waiting(trx: Trx, party: string): Promise<number>;
}

export interface WorkOptions {
  /** Concurrent jobs, without paused ones. Also the limit of each party, paused jobs included. */
  concurrency: number;
  /** Extra slots: this many parties without a running job may each start one beyond that. */
  newcomers?: number;
}
