import { afterCommit } from "db/after-commit";
import { prepared } from "db/prepared";
import { withoutWriteLock } from "db/without-write-lock";
import type { Db, Trx } from "db/schema";
import { throttled } from "~/platform/async/throttled";
import { withinOr } from "~/platform/async/deadline";
import type { EventLog } from "~/platform/event-log";
import { randomId } from "~/platform/crypto/tokens.server";
import { SINGLE_PROCESS, type Installation } from "~/platform/installation/installation";
import { storageTrouble } from "~/platform/storage-trouble";
import { leaseNext } from "./claim.server";
import { CANCELED, change, LeaseLost, toJob } from "./lease.server";
import { createOutcomes, type Work } from "./outcomes.server";
import type { Commit, Job, JobHandler, NewJob, Queue, WorkOptions } from "./queue";
import { createRecovery } from "./recovery.server";
import { createTurns } from "./turns.server";
import { isGone, thisProcess, type WorkerId } from "./worker-id.server";

/** Maximum number of claimed jobs per process, paused ones included; each takes memory. */
const MOST_CLAIMS = 128;
/** Interval of notifications of new jobs: each one wakes all processes. */
const NOTIFY_EVERY_MS = 20;
/** Longest wait of a worker after a notification. */
const WAKE_WITHIN_MS = 50;
// Time for handlers to notice that they were aborted.
const SETTLE_MS = 1_000;

export interface DatabaseQueueOptions {
  db: Db;
  /** Queue name, which selects this queue's jobs in the table. */
  name?: string;
  /** Lease duration: a worker without a heartbeat for this long loses its job. */
  leaseMs?: number;
  heartbeatMs?: number;
  /** Interval of the search for jobs of other processes, due retries and lost leases. */
  pollMs?: number;
  /** Wait before the second attempt; doubles with each further one. */
  retryMs?: number;
  /** Number of turns of a party for each turn of a party of weight 1. */
  weightOf?: (party: string) => number;
  /** The processes that share this queue. */
  installation?: Pick<Installation, "notify" | "notifyAfterCommit" | "on" | "now">;
  now?: () => number;
  worker?: WorkerId;
  /** Called at the start of a job. @param waitedMs time since the job could start */
  onStart?: (waitedMs: number) => void;
  log?: EventLog;
}

interface Claim extends Work {
  /** As in `NewJob`. */
  lane: string | null;
  /** True while the job waits without work in this process. */
  paused: boolean;
  /** Resolves (never rejects) when this process has finished the job. */
  over: Promise<void>;
}

/** Queue in the `job` table of the application's own database. Its jobs run in this process. */
export function createDatabaseQueue({
  db,
  name = "scan",
  leaseMs = 15_000,
  heartbeatMs = 5_000,
  pollMs = 1_000,
  retryMs = 1_000,
  weightOf = () => 1,
  installation = SINGLE_PROCESS,
  now = installation.now,
  worker = thisProcess(),
  onStart = () => {},
  log = () => {},
}: DatabaseQueueOptions): Queue {
  let phase: "idle" | "working" | "stopped" = "idle";
  let capacity: Required<WorkOptions> = { concurrency: 0, newcomers: 0, isFree: () => true };
  let handler: JobHandler;
  let timers: NodeJS.Timeout[] = [];
  /** Last database failure here. Leases of other processes may have expired for the same reason. */
  let failedAt = -Infinity;
  // Mutex: two fillings at the same time would use the same slot.
  let mutex: Promise<void> = Promise.resolve();
  let isWoken = false;
  /** True if jobs may wait for a slot of this process. */
  let isShort = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  const claims = new Map<string, Claim>();
  const notifyOthers = throttled(NOTIFY_EVERY_MS, () => installation.notify("job waits", name));

  const turns = createTurns({ db, name, weightOf, isShared: installation !== SINGLE_PROCESS });
  const { running, releaseJobs } = createRecovery({ db, name, turns, announce, now, log });
  const { store, mark, finish, fail, handBack } = createOutcomes({ db, retryMs, now, isStopping: () => phase !== "working", log });
  return { enqueue, cancel, forget, look: wake, work, stop, position: turns.position, isHeldBack: turns.isHeldBack, waiting: turns.waiting };

  async function enqueue(trx: Trx, { runId, payload = null, party = "", lane }: NewJob): Promise<string> {
    const id = randomId();
    await prepared(afterCommit(trx, tell))
      .insertInto("job")
      .values({
        id,
        queue: name,
        run_id: runId,
        payload: JSON.stringify(payload),
        state: "queued",
        party,
        turn: await turns.next(trx, party),
        lane,
        run_at: 0,
        created_at: now(),
      })
      .execute();
    return id;
  }

  /** Tells all processes of a new job. They also poll: this process may end before it has told them. */
  function tell(): void {
    wake();
    notifyOthers();
  }

  async function cancel(trx: Trx, runId: string): Promise<void> {
    await trx
      .updateTable("job")
      .set({ ...CANCELED, finished_at: now() })
      .where("run_id", "=", runId)
      .where("queue", "=", name)
      .where("state", "in", ["queued", "running"])
      .execute();
    await installation.notifyAfterCommit(trx, "run canceled", runId);
    // With SQLite, the heartbeat waits for the end of the transaction by itself.
    if (isWorkedOn(runId)) setImmediate(() => void heartbeat());
  }

  async function forget(jobId: string): Promise<void> {
    await withoutWriteLock(db).deleteFrom("job").where("id", "=", jobId).where("queue", "=", name).execute();
  }

  function isWorkedOn(runId: string): boolean {
    return [...claims.values()].some(({ job }) => job.runId === runId);
  }

  async function work(jobHandler: JobHandler, { concurrency, newcomers = 0, isFree = () => true }: WorkOptions): Promise<void> {
    if (phase !== "idle") throw new Error("This queue has been started already.");
    handler = jobHandler;
    capacity = { concurrency, newcomers, isFree };
    // The database may have been down for the other processes just before this start: their leases may have expired.
    if (installation !== SINGLE_PROCESS) failedAt = performance.now();
    phase = "working";
    const left = await running((lease) => isGone(lease.leased_by ?? "", worker));
    await releaseJobs(handler, left).catch((error: unknown) => {
      // The leases of these jobs expire; the jobs are taken back when the database accepts writes again.
      if (storageTrouble(error) === null) throw error;
      log("jobs could not be taken back", { jobs: left.length, err: error });
    });
    timers = [setInterval(poll, pollMs), setInterval(() => void heartbeat(), heartbeatMs)];
    installation.on("job waits", (queue) => (queue === null || queue === name) && wakeSoon());
    // An early heartbeat notices that a job was canceled.
    installation.on("run canceled", (runId) => (runId === null || isWorkedOn(runId)) && void heartbeat());
    wake();
  }

  function poll(): void {
    exclusively(async () => {
      const at = now();
      // Without own jobs: if this process was delayed, its next heartbeat renews their leases.
      const expired = await running(({ id, lease_until }) => (lease_until ?? 0) <= at && !claims.has(id));
      if (performance.now() - failedAt > leaseMs) await releaseJobs(handler, expired);
      await fill();
    });
  }

  /** Debounced: one turn serves all jobs added before it begins. */
  function wake(): void {
    if (isWoken || phase !== "working") return;
    isWoken = true;
    exclusively(() => {
      isWoken = false;
      return fill();
    });
  }

  /** All workers are told of a new job; they ask one after the other, as most would find nothing. */
  function wakeSoon(): void {
    if (wakeTimer !== undefined) return;
    wakeTimer = setTimeout(() => {
      wakeTimer = undefined;
      wake();
    }, Math.random() * WAKE_WITHIN_MS);
  }

  function exclusively(action: () => Promise<void>): void {
    if (phase !== "working") return;
    mutex = mutex.then(action).catch((error: unknown) => {
      failedAt = performance.now();
      log("queue turn failed", { err: error });
    });
  }

  async function fill(): Promise<void> {
    while (phase === "working") {
      const unfit = partiesWithoutSlot();
      isShort = unfit === undefined || unfit.length > 0;
      const claim = unfit && (await claimNext(unfit));
      if (!claim) return;
      claims.set(claim.job.id, claim);
      claim.over = perform(claim);
    }
  }

  /** Parties that may not start another job now; undefined if no party may. */
  function partiesWithoutSlot(): string[] | undefined {
    const { concurrency, newcomers, isFree } = capacity;
    const active = [...claims.values()].filter(({ paused }) => !paused).length;
    if (!isFree() || claims.size >= MOST_CLAIMS || active >= concurrency + newcomers) return undefined;
    // Limit per party: lower when more slots are in use, so that new parties find a slot.
    const share = claims.size < MOST_CLAIMS / 4 ? concurrency : claims.size < MOST_CLAIMS / 2 ? 2 : 1;
    const own = new Map<string, number>();
    for (const { job: { party } } of claims.values()) own.set(party, (own.get(party) ?? 0) + 1);
    const most = active < concurrency ? Math.min(concurrency, share) : 1;
    return [...own].filter(([, count]) => count >= most).map(([party]) => party);
  }

  async function claimNext(unfit: string[]): Promise<Claim | undefined> {
    const row = await leaseNext({ db, name, worker, leaseMs, now }, unfit);
    if (!row) return undefined;
    turns.take(row.turn);
    onStart((row.heartbeat_at ?? 0) - Math.max(row.created_at, row.run_at));
    return {
      job: toJob(row),
      leasedBy: row.leased_by ?? "",
      lane: row.lane,
      paused: false,
      maxAttempts: row.max_attempts,
      abort: new AbortController(),
      over: Promise.resolve(),
    };
  }

  async function perform(claim: Claim): Promise<void> {
    const { job, abort } = claim;
    let isDone = false;
    try {
      const commit = await handler.work(job, {
        signal: abort.signal,
        checkpoint: (part, isProgress) => checkpoint(claim, part, isProgress),
        visits: (alone) => visits(claim, alone),
        pause: () => pause(claim),
      });
      await finish(claim, commit);
      isDone = true;
      announce(job);
    } catch (error) {
      if (error instanceof LeaseLost || abort.signal.aborted)
        log("job left to others", { job: job.id, run: job.runId });
      else if (await fail(claim, error, handler)) announce(job);
    } finally {
      claims.delete(job.id);
      // Otherwise no job waits for this end: the last search had a slot for every party, and new jobs are told.
      if (isShort || claim.lane !== null || !isDone) wake();
    }
  }

  async function checkpoint(claim: Claim, commit: Commit, isProgress = true): Promise<void> {
    const attempts = isProgress ? 1 : claim.job.attempt;
    await store(claim, (trx) => change(trx, claim, { attempts }).then(() => commit(trx)));
    claim.job.attempt = attempts;
  }

  function visits(claim: Claim, alone: boolean): Promise<void> {
    return mark(claim, { visiting: alone ? "alone" : "beside" });
  }

  function pause(claim: Claim): () => void {
    claim.paused = true;
    wake();
    return () => (claim.paused = false);
  }

  async function heartbeat(): Promise<void> {
    const at = now();
    for (const { job, leasedBy, abort } of [...claims.values()]) {
      try {
        const { numUpdatedRows } = await withoutWriteLock(db)
          .updateTable("job")
          .set({ lease_until: at + leaseMs, heartbeat_at: at })
          .where("id", "=", job.id)
          .where("leased_by", "=", leasedBy)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) abort.abort(new LeaseLost());
      } catch (error) {
        failedAt = performance.now();
        log("heartbeat failed", { job: job.id, run: job.runId, err: error });
      }
    }
  }

  async function stop({ graceMs }: { graceMs: number }): Promise<void> {
    if (phase !== "working") {
      phase = "stopped";
      return;
    }
    phase = "stopped";
    await mutex;
    await overWithin(graceMs);
    for (const timer of timers) clearInterval(timer);
    clearTimeout(wakeTimer);
    // In parallel, so that all wait together for a locked database.
    await Promise.all([...claims.values()].map(async (claim) => (await handBack(claim, handler)) && announce(claim.job)));
    await overWithin(SETTLE_MS);
  }

  async function overWithin(ms: number): Promise<void> {
    await withinOr(ms, Promise.all([...claims.values()].map(({ over }) => over)), undefined);
  }

  function announce(job: Job): void {
    try {
      handler.settled?.(job);
    } catch (error) {
      log("telling about a job failed", { job: job.id, run: job.runId, err: error });
    }
  }
}
