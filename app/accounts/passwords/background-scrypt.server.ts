import { Worker } from "node:worker_threads";
import type { Scrypt } from "./passwords.server";
import program from "./scrypt-thread.mjs?raw";

/** Idle time before the thread ends. A start takes a tenth of the time of a hash; a thread takes a few megabytes. */
const IDLE_MS = 10_000;

export interface BackgroundScryptOptions {
  /** Starts the thread. */
  start?: () => Worker;
  /** Idle time before the thread ends. */
  idleMs?: number;
}

/**
 * Runs scrypt in a thread of lower priority, so that sign-ins do not slow down pages. The thread starts on demand, ends when
 * idle, and does not keep the process alive. If it crashes, a new thread retries the work once. One derivation at a time.
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
  // Data URL, so that the build needs no extra file.
  const address = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  return new Worker(address, { execArgv: [], env: {} });
}
