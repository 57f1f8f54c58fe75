import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { JobHandler } from "~/platform/jobs/queue";
import { REASONS, type PageResult, type Scanner } from "~/scan/types";
import type { Backlog } from "./backlog.server";
import type { Health } from "./health";
import type { Storage } from "~/server/storage/disk-space.server";

const SCOPES = ["page", "site"] as const;
/** Upper bounds of the histogram in seconds. */
const PAGE_SECONDS = [0.5, 1, 2, 5, 10, 20, 30, 60];
const SCAN_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400];
const NO_JOBS = { waiting: 0, running: 0, oldest: null };
const UNKNOWN_JOBS = { waiting: Number.NaN, running: Number.NaN, oldest: Number.NaN };
const WAIT_SECONDS = [0.1, 1, 5, 15, 60, 300, 900, 3_600];

export type Scope = (typeof SCOPES)[number];
export type MailOutcome = "sent" | "failed" | "given_up";

/** State at the time of the request. */
export interface Gauged {
  health: Health;
  /** Number of processes that scan; null while the database does not answer. */
  workers: number | null;
  storage: Storage;
  /** Waiting and running work; null while the database does not answer. */
  backlog: Backlog | null;
}

export type Meters = ReturnType<typeof createMeters>;

/** Metrics for Prometheus, with all series from the start. Counters and histograms start at 0 with the process. */
export function createMeters() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const pages = new Counter({ name: "rampe_pages_total", help: "Checked pages, and pages that could not be checked, by reason.", labelNames: ["outcome"], registers });
  const pageSeconds = new Histogram({ name: "rampe_page_seconds", help: "Time of a page's check.", buckets: PAGE_SECONDS, registers });
  const scans = new Counter({ name: "rampe_scans_total", help: "Scans that ended.", labelNames: ["scope", "outcome"], registers });
  const scanSeconds = new Histogram({ name: "rampe_scan_seconds", help: "Time of a scan, without waiting.", labelNames: ["scope"], buckets: SCAN_SECONDS, registers });
  const waitSeconds = new Histogram({ name: "rampe_queue_wait_seconds", help: "Wait of a scan before it was started.", labelNames: ["scope"], buckets: WAIT_SECONDS, registers });
  const mailOutcomes = new Counter({ name: "rampe_mails_total", help: "Attempts to send a mail.", labelNames: ["outcome"], registers });
  for (const outcome of ["succeeded", ...REASONS]) pages.inc({ outcome }, 0);
  for (const outcome of ["sent", "failed", "given_up"] satisfies MailOutcome[]) mailOutcomes.inc({ outcome }, 0);
  for (const scope of SCOPES) {
    for (const outcome of ["finished", "given_up"]) scans.inc({ scope, outcome }, 0);
    scanSeconds.zero({ scope });
    waitSeconds.zero({ scope });
  }

  const gauge = (name: string, help: string, labelNames: string[] = []) => new Gauge({ name, help, labelNames, registers });
  const healthy = gauge("rampe_healthy", "Whether a part works.", ["part"]);
  const workers = gauge("rampe_workers", "Processes of the installation that scan.");
  const diskFree = gauge("rampe_disk_free_bytes", "Free space where the database lies.");
  const evidence = gauge("rampe_evidence_bytes", "What stored elements and their pictures take.");
  const jobs = gauge("rampe_jobs", "Scans that wait and that are under way.", ["queue", "state"]);
  const oldestJob = gauge("rampe_oldest_job_seconds", "How long the oldest scan that is due has been waiting.", ["queue"]);
  const mails = gauge("rampe_mails", "Mails that wait to be sent, and that could not be sent.", ["state"]);

  return { page, startScan, gaveUpScan, waited, mail, write };

  function page(result: PageResult): void {
    pages.inc({ outcome: result.status === "succeeded" ? "succeeded" : result.reason });
    pageSeconds.observe(result.durationMs / 1_000);
  }

  /** @returns function that ends the measurement */
  function startScan(scope: Scope): () => void {
    const end = scanSeconds.startTimer({ scope });
    return () => {
      end();
      scans.inc({ scope, outcome: "finished" });
    };
  }

  function gaveUpScan(scope: Scope): void {
    scans.inc({ scope, outcome: "given_up" });
  }

  function waited(scope: Scope, ms: number): void {
    waitSeconds.observe({ scope }, Math.max(0, ms) / 1_000);
  }

  function mail(outcome: MailOutcome): void {
    mailOutcomes.inc({ outcome });
  }

  /** Metrics in Prometheus' text format. */
  async function write(gauged: Gauged): Promise<{ type: string; text: string }> {
    measure(gauged, Date.now());
    return { type: registry.contentType, text: await registry.metrics() };
  }

  function measure({ health, workers: count, storage, backlog }: Gauged, now: number): void {
    for (const part of ["database", "scanner", "backup", "storage"] as const) if (health[part]) healthy.set({ part }, health[part] === "ok" ? 1 : 0);
    // Without the database, no write shows the state of the disk.
    if (health.database === "ok") healthy.set({ part: "disk" }, health.disk === "ok" ? 1 : 0);
    else healthy.remove({ part: "disk" });
    workers.set(count ?? Number.NaN);
    diskFree.set(storage.freeBytes);
    evidence.set(storage.evidenceBytes);
    for (const queue of ["scan", "site"]) {
      const { waiting, running, oldest } = backlog ? (backlog.jobs.find((each) => each.queue === queue) ?? NO_JOBS) : UNKNOWN_JOBS;
      jobs.set({ queue, state: "waiting" }, waiting);
      jobs.set({ queue, state: "running" }, running);
      oldestJob.set({ queue }, oldest === null ? 0 : Math.max(0, now - oldest) / 1_000);
    }
    mails.set({ state: "waiting" }, backlog?.mails.waiting ?? Number.NaN);
    mails.set({ state: "given_up" }, backlog?.mails.givenUp ?? Number.NaN);
  }
}

/** Counts the pages of a scanner. */
export function meteredScanner(scanner: Scanner, meters: Meters): Scanner {
  const check: Scanner["check"] = async (request) => {
    const result = await scanner.check(request);
    meters.page(result);
    return result;
  };
  return { ...scanner, check };
}

/** Counts the scans of a job handler. */
export function meteredHandler(handler: JobHandler, scope: Scope, meters: Meters): JobHandler {
  return {
    ...handler,
    async work(job, context) {
      const end = meters.startScan(scope);
      const commit = await handler.work(job, context);
      end();
      return commit;
    },
    async giveUp(trx, job) {
      meters.gaveUpScan(scope);
      await handler.giveUp(trx, job);
    },
  };
}
