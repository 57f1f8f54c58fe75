import type { Trx } from "db/schema";

/** What all processes of an installation are told of; the id is that of a run, of a printed document, or the name of a queue. */
export type Topic = "run changed" | "run canceled" | "job waits" | "printed";

/** The processes that work on one database. */
export interface Installation {
  /** Tells the other processes, which may miss it: they look by themselves now and then. */
  tell(topic: Topic, id: string): void;
  /** Tells all processes, this one as well, when the transaction has ended well. */
  tellAfter(trx: Trx, topic: Topic, id: string): Promise<void>;
  /** @param listener its id is null after a time in which something may have been missed */
  on(topic: Topic, listener: (id: string | null) => void): void;
  /** Does this process do what one process alone does: send mails of others that have died, start schedules, clean up? */
  leads(): boolean;
  /** Calls the listener each time this process begins to lead; at once if it does. */
  onLead(listener: () => void): void;
  /** Counts the processes that work on jobs. @throws while the database does not answer */
  workers(): Promise<number>;
  /** Takes a lock that ends with this process. @returns a function that gives it back; null if it is taken */
  lock(name: string): Promise<(() => void) | null>;
  /** Unix time in ms, the same on all machines. */
  now(): number;
  stop(): Promise<void>;
}

/** An installation of one process. */
export const ALONE: Installation = {
  tell: () => {},
  tellAfter: () => Promise.resolve(),
  on: () => {},
  leads: () => true,
  onLead: (listener) => listener(),
  workers: () => Promise.resolve(1),
  lock: () => Promise.resolve(() => {}),
  now: () => Date.now(),
  stop: () => Promise.resolve(),
};
