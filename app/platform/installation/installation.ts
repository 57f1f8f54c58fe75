import type { Trx } from "db/schema";

/** Topics of notifications between processes. The id belongs to a run or a printed document, or is the name of a queue. */
export type Topic = "run changed" | "run canceled" | "job waits" | "printed" | "remote check";

/** All processes that work on one database. */
export interface Installation {
  /** Notifies the other processes. They may miss it: they also poll. */
  notify(topic: Topic, id: string): void;
  /** Notifies all processes, including this one, after the commit of the transaction. */
  notifyAfterCommit(trx: Trx, topic: Topic, id: string): Promise<void>;
  /** @param listener receives the id; null after a lost connection, as notifications may be missing */
  on(topic: Topic, listener: (id: string | null) => void): void;
  /** True if this process is the leader. Only the leader sends mails of dead processes, starts schedules and cleans up. */
  leads(): boolean;
  /** Calls the listener each time this process becomes the leader; at once if it is the leader now. */
  onLead(listener: () => void): void;
  /** Number of processes that work on jobs. @throws while the database does not answer */
  workers(): Promise<number>;
  /** Takes a lock, which ends with this process at the latest. @returns function that releases it; null if another holder has it */
  lock(name: string): Promise<(() => void) | null>;
  /** Unix time in ms, the same on all machines. */
  now(): number;
  stop(): Promise<void>;
}

/** Installation of one process. */
export const SINGLE_PROCESS: Installation = {
  notify: () => {},
  notifyAfterCommit: () => Promise.resolve(),
  on: () => {},
  leads: () => true,
  onLead: (listener) => listener(),
  workers: () => Promise.resolve(1),
  lock: () => Promise.resolve(() => {}),
  now: () => Date.now(),
  stop: () => Promise.resolve(),
};
