import type { Trx } from "db/schema";

export interface NewJob {
  runId: string;
  /** Plain data for the handler. */
  payload?: unknown;
  /** Whose job it is (`parties.server.ts`), as parties have turns; undefined for nobody's, which are of one party. */
  party?: string;
  /** Of the jobs with the same one, one is under way at a time. */
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
   * 1 once a process ended while what this job visits was visited beside others; 1 more for each that ended while it
   * was visited alone.
   */
  deaths: number;
}

/** Why a job is put back: its process ended, the queue stopped, or the attempt failed. */
export type PutBack = "died" | "stopped" | "failed";

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
  /**
   * The visit begins that may be to blame if the process ends. A job that does not say so is never to blame.
   * @param alone nothing else is visited meanwhile
   */
  visits(alone: boolean): Promise<void>;
  /** The job waits for what takes no work here: another may have its place until what this answers is called. */
  pause(): () => void;
}

/** What is done for a job. Nothing it does outside its transactions may matter if it happens twice. */
export interface JobHandler {
  /**
   * Does the work and resolves with what stores it. If the lease was lost meanwhile, nothing is stored; if it
   * rejects, the attempt has failed.
   */
  work(job: Job, context: WorkContext): Promise<Commit>;
  /** In the transaction that puts the job back among the waiting. */
  putBack(trx: Trx, job: Job, why: PutBack): Promise<void>;
  /** In the transaction that gives the job up after its last attempt. */
  giveUp(trx: Trx, job: Job): Promise<void>;
  /** After any of those transactions has been committed. */
  settled?(job: Job): void;
}

/** A durable line of jobs, in turns by party: each is done once, whoever dies in between. */
export interface Queue {
  /** Adds a job in the caller's transaction and resolves with its id; it is taken as soon as that is committed. */
  enqueue(trx: Trx, job: NewJob): Promise<string>;
  /** Ends a run's jobs, waiting or under way, with the caller's transaction; who works on one is told to stop. */
  cancel(trx: Trx, runId: string): Promise<void>;
  /** Works off jobs; also what a process of this host has left behind that is gone. */
  work(handler: JobHandler, options: WorkOptions): Promise<void>;
  /**
   * Takes no new job, gives running ones `graceMs` to finish, then aborts them and puts them back without counting
   * the attempt. Resolves at most a second after that, also when a handler ignores its signal.
   */
  stop(options: { graceMs: number }): Promise<void>;
  /** The place in line of a run's waiting job: 1 is taken next; null when none is waiting. */
  position(runId: string): Promise<number | null>;
  /** Does a run's job wait for another one of its lane? */
  isHeldBack(runId: string): Promise<boolean>;
  /** Number of a party's jobs that wait. */
  waiting(trx: Trx, party: string): Promise<number>;
}

export interface WorkOptions {
  /** Jobs at once, without those that pause. A party never has more, those that pause included. */
  concurrency: number;
  /** So many parties that have no job under way may have one beyond that. */
  newcomers?: number;
}
