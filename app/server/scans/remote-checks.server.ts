import { setTimeout as delay } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import type { Db, Trx } from "db/schema";
import { randomId } from "~/platform/crypto/tokens.server";
import { HOUR_MS } from "~/platform/durations";
import type { Installation } from "~/platform/installation/installation";
import type { Job, JobHandler, PutBack, Queue } from "~/platform/jobs/queue";
import { MOST_PARALLEL } from "~/scan/crawl/crawl";
import type { Arrival, PageRequest, PageResult, Scanner } from "~/scan/types";

/** Wait for a slot of this process before the page is offered to others: offers cost more than most waits. */
const OFFERED_AFTER_MS = 300;
/** Polling interval: the message about an offer may be lost. */
const LOOK_EVERY_MS = 1_000;
/** Validity of the number of workers. */
const COUNTED_FOR_MS = 5_000;
/** Retention of offers whose process has ended. */
const KEPT_MS = HOUR_MS;

interface RemoteChecksOptions {
  db: Db;
  scanner: Scanner;
  queue: Pick<Queue, "enqueue" | "forget">;
  installation: Pick<Installation, "on" | "notify" | "workers">;
}

/** Fields of a request that another worker needs. Access data stay in one process. */
const SENT = ["url", "standard", "rules", "advanced", "ofSite", "waitMs", "waitFor", "pictures", "pagePicture", "priority", "party"] as const satisfies (keyof PageRequest)[];
type SentRequest = Pick<PageRequest, (typeof SENT)[number]>;

/** Result of another worker, and the documents that the page has shown. */
interface Outcome {
  result: PageResult;
  arrivals: Arrival[];
}

interface Offer {
  id: string;
  /** Withdraws it. @returns false if another worker has taken the page */
  withdraw(): Promise<boolean>;
  /** Resolves when another worker takes the page; rejects when the offer ends. */
  taken: Promise<unknown>;
  /** Deletes it. Never fails. */
  end(): Promise<void>;
}

/** Another worker checks the page. */
class TakenElsewhere extends Error {
  override name = "TakenElsewhere";
}

/**
 * Checks of the pages of sites by the first worker of the installation that has a free slot: a page that waits for a slot is offered to the others.
 * The crawl, its rate limit and its results stay in one process.
 */
export function createRemoteChecks({ db, scanner, queue, installation }: RemoteChecksOptions) {
  /** Number of pages that are checked here, or wait here. */
  let pages = 0;
  /** Number of workers of the installation, and when it was asked. */
  let counted = { workers: 1, at: -Infinity };
  const waiting = new Map<string, () => void>();
  installation.on("remote check", wake);
  const local: Scanner = { ...scanner, check: checkHere };
  const handler: JobHandler = {
    work: checkForOther,
    putBack: endTaken,
    giveUp: (trx, job) => endTaken(trx, job, "failed"),
    settled: ({ payload }) => tell(String(payload)),
  };
  return { local, scannerOf, handler, isFree: () => pages < scanner.parallel };

  /** Scanner of one run of a site. */
  function scannerOf(runId: string): Pick<Scanner, "check" | "parallel"> {
    return {
      // With others, as many as a site allows.
      get parallel() {
        countWorkers();
        return counted.workers > 1 ? Math.max(scanner.parallel, MOST_PARALLEL) : scanner.parallel;
      },
      check(request) {
        const mayLeave = !request.alone && !request.access && pages >= scanner.parallel && counted.workers > 1;
        return mayLeave ? checkAnywhere(runId, request) : checkHere(request);
      },
    };
  }

  function countWorkers(): void {
    if (performance.now() - counted.at < COUNTED_FOR_MS) return;
    counted.at = performance.now();
    installation.workers().then((workers) => (counted = { ...counted, workers }), () => {});
  }

  async function checkHere(request: PageRequest): Promise<PageResult> {
    pages += 1;
    try {
      return await scanner.check(request);
    } finally {
      pages -= 1;
    }
  }

  async function checkAnywhere(runId: string, request: PageRequest): Promise<PageResult> {
    const left = new AbortController();
    const offer = offerLater(runId, request);
    offer.taken.then(() => left.abort(new TakenElsewhere()), () => {});
    try {
      return await checkHere({
        ...request,
        signal: request.signal ? AbortSignal.any([request.signal, left.signal]) : left.signal,
        async onBegin() {
          if (!(await offer.withdraw())) throw new TakenElsewhere();
          await request.onBegin?.();
        },
      });
    } catch (error) {
      if (!(error instanceof TakenElsewhere)) throw error;
      await request.onBegin?.();
      return await resultOf(offer, request);
    } finally {
      await offer.end();
    }
  }

  async function resultOf({ id }: Offer, request: PageRequest): Promise<PageResult> {
    const row = await changed(id, "taken", request.signal);
    if (row?.outcome) {
      const { result, arrivals } = deserialize(row.outcome) as Outcome;
      for (const arrival of arrivals) request.onArrival?.(arrival);
      request.signal?.throwIfAborted();
      return result;
    }
    // The page may have crashed the other process: no page beside it is checked here.
    return checkHere({ ...request, alone: row?.state === "died", onBegin: undefined });
  }

  function offerLater(runId: string, request: PageRequest): Offer {
    const id = randomId();
    const ended = new AbortController();
    const making = delay(OFFERED_AFTER_MS, undefined, { signal: ended.signal }).then(make).catch(() => undefined);
    let isGone = false;
    return { id, withdraw, taken: making.then((jobId) => (jobId === undefined ? new Promise(() => {}) : changed(id, "waiting", ended.signal))), end };

    function make(): Promise<string> {
      const sent = Object.fromEntries(SENT.map((name) => [name, request[name]]));
      return db.transaction().execute(async (trx) => {
        await trx.insertInto("remote_check").values({ id, request: JSON.stringify(sent), state: "waiting", created_at: Date.now() }).execute();
        return queue.enqueue(trx, { runId, payload: id, party: request.party?.name });
      });
    }

    async function withdraw(): Promise<boolean> {
      ended.abort();
      const jobId = await making;
      if (jobId !== undefined) isGone = await remove(jobId, "waiting");
      return jobId === undefined || isGone;
    }

    async function end(): Promise<void> {
      ended.abort();
      waiting.delete(id);
      const jobId = await making;
      // If it fails, the clean-up deletes the offer.
      if (jobId !== undefined && !isGone) await remove(jobId).catch(() => {});
    }

    /** @returns false if it is not in the given state */
    function remove(jobId: string, state?: "waiting"): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx.deleteFrom("remote_check").where("id", "=", id).$if(state !== undefined, (query) => query.where("state", "=", "waiting")).executeTakeFirstOrThrow();
        if (numDeletedRows > 0n) await queue.forget(trx, jobId);
        return numDeletedRows > 0n;
      });
    }
  }

  /** The offer as soon as it has another state; undefined if it was deleted. @throws the signal's reason */
  async function changed(id: string, state: "waiting" | "taken", signal?: AbortSignal) {
    for (;;) {
      const woken = new Promise<void>((resolve) => waiting.set(id, resolve));
      signal?.throwIfAborted();
      const row = await db.selectFrom("remote_check").select(["state", "outcome"]).where("id", "=", id).executeTakeFirst();
      if (row?.state !== state) return row;
      await Promise.race([woken, delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})]);
    }
  }

  /** Checks the page of another worker. */
  async function checkForOther({ payload }: Job, { signal, visits }: Parameters<JobHandler["work"]>[1]): Promise<(trx: Trx) => Promise<void>> {
    const id = String(payload);
    // At once: the queue asks for the number before the next job.
    pages += 1;
    try {
      const row = await db.updateTable("remote_check").set({ state: "taken" }).where("id", "=", id).where("state", "=", "waiting").returning("request").executeTakeFirst();
      if (!row) return async () => {};
      tell(id);
      const arrivals: Arrival[] = [];
      const result = await scanner.check({ ...(JSON.parse(row.request) as SentRequest), onBegin: () => visits(false), onArrival: (arrival) => arrivals.push(arrival), signal });
      const outcome = serialize({ result, arrivals } satisfies Outcome);
      return async (trx) => void (await trx.updateTable("remote_check").set({ state: "checked", outcome }).where("id", "=", id).execute());
    } finally {
      pages -= 1;
    }
  }

  /** Gives the page back to the process of its run. */
  async function endTaken(trx: Trx, { payload }: Job, why: PutBack): Promise<void> {
    const state = why === "died" ? "died" : "stopped";
    await trx.updateTable("remote_check").set({ state }).where("id", "=", String(payload)).where("state", "=", "taken").execute();
  }

  function tell(id: string): void {
    wake(id);
    installation.notify("remote check", id);
  }

  /** @param id null for all offers */
  function wake(id: string | null): void {
    if (id === null) for (const look of waiting.values()) look();
    else waiting.get(id)?.();
  }
}

/** Deletes offers of processes that ended before their pages were checked. */
export async function deleteForgottenOffers(db: Db, now = Date.now()): Promise<void> {
  await db.deleteFrom("remote_check").where("created_at", "<=", now - KEPT_MS).execute();
}
