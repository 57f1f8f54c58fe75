import type { Trx } from "db/schema";

export interface NewJob {
  runId: string;
  /** Plain data for the handler. */
  payload?: unknown;
}

export interface Job {
  id: string;
  runId: string;
  payload: unknown;
  /** 1 for the first attempt. */
  attempt: number;
}

/** Stores what a job has found. Uses nothing but the transaction, which also marks the job done. */
export type Commit = (trx: Trx) => Promise<void>;

export interface WorkContext {
  /** Aborts when the work is of no use any more: the lease was lost or the queue stops. */
  signal: AbortSignal;
  /**
   * Stores a part of what a long job has found, while it goes on. Failures and deaths before it no longer count: the
   * job gets on.
   * @throws when the lease was lost; nothing is stored then
   */
  checkpoint(commit: Commit): Promise<void>;
}

/** What is done for a job. Nothing it does outside its transactions may matter if it happens twice. */
export interface JobHandler {
  /**
   * Does the work and resolves with what stores it. If the lease was lost meanwhile, nothing is stored; if it
   * rejects, the attempt has failed.
   */
  work(job: Job, context: WorkContext): Promise<Commit>;
  /** In the transaction that puts the job back among the waiting: it stopped, failed, or its process died. */
  putBack(trx: Trx, job: Job): Promise<void>;
  /** In the transaction that gives the job up after its last attempt. */
  giveUp(trx: Trx, job: Job): Promise<void>;
  /** After any of those transactions has been committed. */
  settled?(job: Job): void;
}

/** A durable line of jobs: each is done once, whoever dies in between. */
export interface Queue {
  /** Adds a job in the caller's transaction and resolves with its id; it is taken as soon as that is committed. */
  enqueue(trx: Trx, job: NewJob): Promise<string>;
  /** Ends a run's jobs, waiting or under way, with the caller's transaction; who works on one is told to stop. */
  cancel(trx: Trx, runId: string): Promise<void>;
  /** Works off jobs, `concurrency` at once; also what a process of this host has left behind that is gone. */
  work(handler: JobHandler, options: { concurrency: number }): Promise<void>;
  /**
   * Takes no new job, gives running ones `graceMs` to finish, then aborts them and puts them back without counting
   * the attempt. Resolves at most a second after that, also when a handler ignores its signal.
   */
  stop(options: { graceMs: number }): Promise<void>;
  /** The place in line of a run's waiting job: 1 is taken next; null when none is waiting. */
  position(runId: string): Promise<number | null>;
}
