import { Worker } from "node:worker_threads";
import type { Scrypt } from "./passwords.server";
import program from "./scrypt-thread.mjs?raw";

/** Starting takes a tenth of the time of a hash, and a thread takes a few megabytes. */
const IDLE_MS = 10_000;

export interface BackgroundScryptOptions {
  /** Starts a thread that derives what it is sent. */
  start?: () => Worker;
  /** After so long without work the thread is ended. */
  idleMs?: number;
}

/**
 * Runs scrypt in a thread of lower priority, so that whoever signs in holds up nobody's pages. It is started when it is
 * needed, ends when nobody needs it, and keeps no process alive. If it dies, the work is done once more by another one.
 * One derivation at a time.
 */
export function createBackgroundScrypt({ start = startThread, idleMs = IDLE_MS }: BackgroundScryptOptions = {}): Scrypt {
  let thread: Worker | undefined;
  let waiting: { resolve: (hash: Buffer) => void; reject: (reason: Error) => void } | undefined;
  let idle: NodeJS.Timeout | undefined;

  return async (...work) => {
    clearTimeout(idle);
    try {
      return await derive(work).catch(() => derive(work));
    } finally {
      thread?.unref();
      idle = setTimeout(end, idleMs).unref();
    }
  };

  function derive([password, salt, length, options]: Parameters<Scrypt>): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      thread ??= begin();
      thread.ref();
      thread.postMessage({ password, salt, length, options });
    });
  }

  function begin(): Worker {
    const worker = start();
    const lose = (reason: Error) => {
      if (thread !== worker) return;
      thread = undefined;
      waiting?.reject(reason);
    };
    worker.on("message", (hash: Uint8Array) => waiting?.resolve(Buffer.from(hash)));
    worker.on("error", lose);
    worker.on("exit", (code) => lose(new Error(`the thread that hashes passwords ended with ${code}`)));
    return worker;
  }

  function end(): void {
    const worker = thread;
    thread = undefined;
    void worker?.terminate();
  }
}

export function startThread(): Worker {
  // As an address, as it then needs no file beside the built ones.
  const address = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  return new Worker(address, { execArgv: [], env: {} });
}
