import type { Trx } from "db/schema";

/** Kinds of notifications between processes. The id is that of a run, of a printed document, or the name of a queue. */
export type Topic = "run changed" | "run canceled" | "job waits" | "printed";

/** The processes that work on one database. */
export interface Installation {
  /** Notifies the other processes. They may miss it: they also poll. */
  notify(topic: Topic, id: string): void;
  /** Notifies all processes, this one as well, when the transaction is committed. */
  notifyAfterCommit(trx: Trx, topic: Topic, id: string): Promise<void>;
  /** @param listener its id is null after a lost connection: notifications may have been missed */
  on(topic: Topic, listener: (id: string | null) => void): void;
  /** Is this process the leader? Only the leader sends mails of dead processes, starts schedules and cleans up. */
  leads(): boolean;
  /** Calls the listener each time this process becomes the leader; at once if it is. */
  onLead(listener: () => void): void;
  /** Counts the processes that work on jobs. @throws while the database does not answer */
  workers(): Promise<number>;
  /** Takes a lock that ends with this process. @returns a function that releases it; null if it is taken */
  lock(name: string): Promise<(() => void) | null>;
  /** Unix time in ms, the same on all machines. */
  now(): number;
  stop(): Promise<void>;
}

/** An installation of one process. */
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
