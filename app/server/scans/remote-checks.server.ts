import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { deserialize, serialize } from "node:v8";
import type { Db, Trx } from "db/schema";
import { withoutWriteLock } from "db/without-write-lock";
import { randomId } from "~/platform/crypto/tokens.server";
import { HOUR_MS } from "~/platform/durations";
import type { Installation } from "~/platform/installation/installation";
import type { Commit, Job, JobHandler, PutBack, Queue, WorkContext } from "~/platform/jobs/queue";
import { storageTrouble } from "~/platform/storage-trouble";
import { MOST_PARALLEL } from "~/scan/crawl/crawl";
import type { Arrival, EngineVersion, PageRequest, PageResult, Scanner } from "~/scan/types";

/**
 * Wait for a slot of this process before the page is offered to others: an offer costs more than most waits. It is short while others
 * take offers at once.
 */
const OFFERED_AFTER_MS = { usually: 300, whileOthersAreFree: 10 };
/** A worker that takes an offer within this time was free. */
const AT_ONCE_MS = 300;
/** Polling intervals: the message about an offer may be lost. One that waits is noticed by its withdrawal, too. */
const LOOK_EVERY_MS = { waiting: 5_000, taken: 1_000 };
/** Pause before a failed access to the database is repeated. */
const STORAGE_RETRY_MS = 1_000;
/** Validity of the number of workers. */
const COUNTED_FOR_MS = 5_000;
/** Retention of offers whose process has ended. */
const KEPT_MS = HOUR_MS;

interface RemoteChecksOptions {
  db: Db;
  scanner: Scanner;
  queue: Pick<Queue, "enqueue" | "forget" | "look">;
  installation: Pick<Installation, "on" | "notify" | "workers" | "now">;
}

/** Fields of a request that another worker needs. Access data stay in one process. */
const SENT = ["url", "standard", "rules", "advanced", "ofSite", "waitMs", "waitFor", "pictures", "pagePicture", "priority", "party"] as const satisfies (keyof PageRequest)[];
type SentRequest = Pick<PageRequest, (typeof SENT)[number]>;

/** Result of another worker, and the documents that the page has shown. */
interface Outcome {
  engines: EngineVersion[];
  result: PageResult;
  arrivals: Arrival[];
}

interface Offer {
  id: string;
  /** Withdraws it. @returns false if another worker has taken the page */
  withdraw(): Promise<boolean>;
  /** Resolves when another worker takes the page. */
  taken: Promise<void>;
  /** Deletes it, and ends the check of another worker. Never fails. */
  end(): Promise<void>;
}

/** Another worker checks the page. */
class TakenElsewhere extends Error {
  override name = "TakenElsewhere";
}

/** The page is not offered any more. */
class Withdrawn extends Error {
  override name = "Withdrawn";
}

const NOTHING: Commit = async () => {};

/**
 * Checks of the pages of sites by the first worker of the installation that has a free slot: a page that waits for a slot is offered to the others.
 * The crawl, its rate limit and its results stay in one process.
 */
export function createRemoteChecks({ db, scanner, queue, installation }: RemoteChecksOptions) {
  const direct = withoutWriteLock(db);
  /** Number of pages that are checked here, or wait here. */
  let pages = 0;
  /** Did another worker take the last offer at once? */
  let areOthersFree = false;
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
  return { local, scannerOf, handler, isFree };

  function isFree(): boolean {
    return pages < scanner.parallel;
  }

  /** Scanner of one run of a site. */
  function scannerOf(runId: string, { access }: Pick<PageRequest, "access">): Pick<Scanner, "check" | "parallel"> {
    if (access) return local;
    return {
      // With others, as many as a site allows.
      get parallel() {
        countWorkers();
        return counted.workers > 1 ? Math.max(scanner.parallel, MOST_PARALLEL) : scanner.parallel;
      },
      check: (request) => (counted.workers > 1 && !request.alone && !request.access ? checkAnywhere(runId, request) : checkHere(request)),
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
      if (isFree() && counted.workers > 1) queue.look();
    }
  }

  async function checkAnywhere(runId: string, request: PageRequest): Promise<PageResult> {
    const left = new AbortController();
    const offer = offerLater(runId, request);
    void offer.taken.then(() => left.abort(new TakenElsewhere()));
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
    const outcome = row?.state === "checked" && row.outcome ? readOutcome(row.outcome) : undefined;
    // After a crash of the other process, the page may be the cause: no other one is checked beside it.
    if (!outcome || !isUsable(outcome)) return checkHere({ ...request, alone: row?.state === "died", onBegin: undefined });
    for (const arrival of outcome.arrivals) {
      request.onArrival?.(arrival);
      request.signal?.throwIfAborted();
    }
    return outcome.result;
  }

  /** Not from a worker with another version, or without a working browser. */
  function isUsable({ engines, result }: Outcome): boolean {
    return isDeepStrictEqual(engines, scanner.engines) && !(result.status === "failed" && result.detail.browserDied);
  }

  function offerLater(runId: string, request: PageRequest): Offer {
    const id = randomId();
    const ended = new AbortController();
    const waitMs = areOthersFree ? OFFERED_AFTER_MS.whileOthersAreFree : OFFERED_AFTER_MS.usually;
    const making = delay(waitMs, undefined, { signal: ended.signal }).then(make).catch(() => undefined);
    const taken = new Promise<void>((resolve) => {
      void making.then(async (jobId) => {
        const madeAt = performance.now();
        const row = jobId === undefined ? undefined : await changed(id, "waiting", ended.signal).catch(() => undefined);
        if (!row || ended.signal.aborted) return;
        areOthersFree = performance.now() - madeAt <= AT_ONCE_MS;
        resolve();
      });
    });
    return { id, taken, withdraw, end };

    function make(): Promise<string> {
      const sent = Object.fromEntries(SENT.map((name) => [name, request[name]]));
      return db.transaction().execute(async (trx) => {
        await trx.insertInto("remote_check").values({ id, run_id: runId, request: JSON.stringify(sent), state: "waiting", created_at: Date.now() }).execute();
        return queue.enqueue(trx, { runId, payload: id, party: request.party?.name });
      });
    }

    async function withdraw(): Promise<boolean> {
      ended.abort();
      const jobId = await making;
      if (jobId === undefined) return true;
      const isWithdrawn = await patiently(() => remove("waiting"), request.signal);
      areOthersFree &&= !isWithdrawn;
      // Not awaited: this process holds a slot meanwhile.
      if (isWithdrawn) queue.forget(jobId).catch(() => {});
      return isWithdrawn;
    }

    async function end(): Promise<void> {
      ended.abort();
      waiting.delete(id);
      const jobId = await making;
      if (jobId === undefined) return;
      // If it fails, the clean-up deletes the offer.
      await Promise.all([remove(), queue.forget(jobId)]).catch(() => {});
      // Another worker may still check the page: it then looks at its job at once, and ends the check.
      if (request.signal?.aborted) installation.notify("run canceled", runId);
    }

    /** @returns false if it is not in the given state */
    async function remove(state?: "waiting"): Promise<boolean> {
      const { numDeletedRows } = await direct
        .deleteFrom("remote_check")
        .where("id", "=", id)
        .$if(state !== undefined, (query) => query.where("state", "=", "waiting"))
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    }
  }

  /** The offer as soon as it has another state; undefined if it was deleted. @throws the signal's reason */
  async function changed(id: string, state: keyof typeof LOOK_EVERY_MS, signal?: AbortSignal) {
    for (;;) {
      const woken = new Promise<void>((resolve) => waiting.set(id, resolve));
      signal?.throwIfAborted();
      const row = await patiently(() => db.selectFrom("remote_check").select(["state", "outcome"]).where("id", "=", id).executeTakeFirst(), signal);
      if (row?.state !== state) return row;
      await Promise.race([woken, delay(LOOK_EVERY_MS[state], undefined, { signal }).catch(() => {})]);
    }
  }

  /** Checks the page of another worker. */
  async function checkForOther({ payload }: Job, { signal, visits }: Pick<WorkContext, "signal" | "visits">): Promise<Commit> {
    const id = String(payload);
    // At once: the queue asks for the number before the next job.
    pages += 1;
    try {
      const row = await db.selectFrom("remote_check").select("request").where("id", "=", id).where("state", "=", "waiting").executeTakeFirst();
      if (!row) return NOTHING;
      const arrivals: Arrival[] = [];
      const begin = async () => {
        if (!(await take(id))) throw new Withdrawn();
        tell(id);
        await visits(false);
      };
      const result = await scanner.check({ ...(JSON.parse(row.request) as SentRequest), onBegin: begin, onArrival: (arrival) => arrivals.push(arrival), signal });
      const outcome = serialize({ engines: scanner.engines, result, arrivals } satisfies Outcome);
      // Before the transaction, in which others would wait for it.
      await direct.updateTable("remote_check").set({ outcome }).where("id", "=", id).where("state", "=", "taken").execute();
      return async (trx) => void (await trx.updateTable("remote_check").set({ state: "checked" }).where("id", "=", id).where("outcome", "is not", null).execute());
    } catch (error) {
      if (error instanceof Withdrawn) return NOTHING;
      throw error;
    } finally {
      pages -= 1;
    }
  }

  /** Takes a page that is still offered, by a run that is under way. @returns false if there is none */
  async function take(id: string): Promise<boolean> {
    const { numUpdatedRows } = await direct
      .updateTable("remote_check")
      .set({ state: "taken" })
      .where("id", "=", id)
      .where("state", "=", "waiting")
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("job")
            .select("job.id")
            .whereRef("job.run_id", "=", "remote_check.run_id")
            .where("job.queue", "=", "site")
            .where("job.state", "=", "running")
            .where("job.lease_until", ">", installation.now()),
        ),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
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

/** Undefined if a newer version of Node has written it. */
function readOutcome(stored: Uint8Array): Outcome | undefined {
  try {
    return deserialize(stored) as Outcome;
  } catch {
    return undefined;
  }
}

/** Repeats an access while the database cannot be reached: that must not end a crawl. @throws the signal's reason */
async function patiently<Value>(access: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  for (;;) {
    try {
      return await access();
    } catch (error) {
      if (storageTrouble(error) === null) throw error;
      await delay(STORAGE_RETRY_MS, undefined, { signal }).catch(() => {});
      signal?.throwIfAborted();
    }
  }
}

/** Deletes offers of processes that ended before their pages were checked. */
export async function deleteForgottenOffers(db: Db, now = Date.now()): Promise<void> {
  await db.deleteFrom("remote_check").where("created_at", "<=", now - KEPT_MS).execute();
}
