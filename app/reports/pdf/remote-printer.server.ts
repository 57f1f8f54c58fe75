import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "db/schema";
import { randomId } from "~/platform/crypto/tokens.server";
import { HOUR_MS } from "~/platform/durations";
import type { Installation } from "~/platform/installation/installation";
import type { JobHandler, Queue } from "~/platform/jobs/queue";
import { MOST_WAITING, type PdfFile, type PdfPrinter } from "./printer.server";

/** Maximum wait for another process, which may have other prints first. */
const PRINTED_WITHIN_MS = 180_000;
/** Polling interval: the message about a finished print may be lost. */
const LOOK_EVERY_MS = 1_000;
/** Retention of documents whose process has ended. */
const KEPT_MS = HOUR_MS;

interface RemotePrinterOptions {
  db: Db;
  queue: Pick<Queue, "enqueue">;
  installation: Pick<Installation, "on">;
}

/** Prints in another process of this installation, which has a browser. */
export function createRemotePrinter({ db, queue, installation }: RemotePrinterOptions): PdfPrinter {
  const stopped = new AbortController();
  const waiting = new Map<string, () => void>();
  let last: Promise<unknown> = Promise.resolve();
  /** Number of documents that are not yet in the queue. */
  let writing = 0;
  installation.on("printed", (id) => {
    if (id === null) for (const wake of waiting.values()) wake();
    else waiting.get(id)?.();
  });

  async function print(runId: string, write: () => Promise<string>, signal?: AbortSignal): Promise<PdfFile | null> {
    const over = AbortSignal.any([stopped.signal, ...(signal ? [signal] : [])]);
    if ((await unprinted()) + writing > MOST_WAITING) return null;
    writing += 1;
    // Aborted requests are no longer counted immediately, before their turn.
    let isCounted = true;
    const leave = () => {
      if (isCounted) writing -= 1;
      isCounted = false;
    };
    over.addEventListener("abort", leave, { once: true });
    // Only one document at a time is in memory.
    const enqueued = last.then(() => enqueue(runId, write, over)).finally(leave);
    last = enqueued.catch(() => {});
    const id = await enqueued;
    try {
      return await printed(id, Date.now() + PRINTED_WITHIN_MS, over);
    } finally {
      waiting.delete(id);
      // A job without its document prints nothing. If deletion fails, the clean-up deletes it.
      await db.deleteFrom("print").where("id", "=", id).execute().catch(() => {});
    }
  }

  async function enqueue(runId: string, write: () => Promise<string>, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const html = await write();
    const id = randomId();
    await db.transaction().execute(async (trx) => {
      await trx.insertInto("print").values({ id, html, created_at: Date.now() }).execute();
      await queue.enqueue(trx, { runId, payload: id });
    });
    return id;
  }

  async function unprinted(): Promise<number> {
    const open = db.selectFrom("print").select((eb) => eb.fn.countAll<number>().as("count")).where("pdf", "is", null).where("error", "is", null);
    const { count } = await open.where("created_at", ">", Date.now() - PRINTED_WITHIN_MS).executeTakeFirstOrThrow();
    return count;
  }

  /** The printed PDF. @returns null if it takes too long */
  async function printed(id: string, until: number, signal: AbortSignal): Promise<PdfFile | null> {
    while (Date.now() < until) {
      const woken = new Promise<void>((resolve) => waiting.set(id, resolve));
      const { pdf, error } = await db.selectFrom("print").select(["pdf", "error"]).where("id", "=", id).executeTakeFirstOrThrow();
      if (error !== null) throw new Error(error);
      if (pdf) return new Uint8Array(pdf);
      await Promise.race([woken, delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})]);
      signal.throwIfAborted();
    }
    return null;
  }

  return { print, stop: () => Promise.resolve(stopped.abort(new Error("the printer is stopped"))) };
}

/** Deletes documents of processes that ended before they were printed. */
export async function deleteForgottenPrints(db: Db, now = Date.now()): Promise<void> {
  await db.deleteFrom("print").where("created_at", "<=", now - KEPT_MS).execute();
}

/** Job of a process with a browser: prints documents of other processes. */
export function printForOthers({ db, printer, installation }: { db: Db; printer: PdfPrinter; installation: Pick<Installation, "notify"> }): JobHandler {
  return {
    async work({ runId, payload }, { signal }) {
      const id = String(payload);
      const row = await db.selectFrom("print").select("html").where("id", "=", id).executeTakeFirst();
      if (!row) return async () => {};
      const pdf = await printer.print(runId, () => Promise.resolve(row.html), signal);
      if (!pdf) throw new Error("too many other documents are printed here");
      return async (trx) => void (await trx.updateTable("print").set({ pdf }).where("id", "=", id).execute());
    },
    putBack: () => Promise.resolve(),
    async giveUp(trx, { payload }) {
      await trx.updateTable("print").set({ error: "the document could not be printed" }).where("id", "=", String(payload)).execute();
    },
    settled: ({ payload }) => installation.notify("printed", String(payload)),
  };
}
