import type { Env } from "~/platform/env.server";
import { createRunEvents, type RunEvents } from "~/runs/events.server";
import { weightOf } from "~/platform/limits/parties.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import type { EventLog } from "~/platform/event-log";
import { SINGLE_PROCESS, type Installation } from "~/platform/installation/installation";
import type { Queue } from "~/platform/jobs/queue";
import { machineName, thisProcess } from "~/platform/jobs/worker-id.server";
import type { Refuses } from "~/platform/web/start-address";
import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import { createRuns, type Runs } from "~/runs/run.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import type { Db } from "db/schema";
import type { Meters } from "~/server/health/meters.server";
import { addressPolicy } from "./address-setting.server";

export interface ScanningServices {
  runs: Runs;
  events: RunEvents;
  /** Reason to refuse an address, by its text alone. */
  refusesAddress: Refuses;
}

/** Queues of page scans, site scans, pages of sites that other workers may check, and documents to print. */
export type Queues = Record<"page" | "site" | "remote" | "print", Queue>;

interface ScanningOptions {
  db: Db;
  box: SecretBox;
  hasSpace: () => boolean;
  acceptances: Acceptances;
  installation: Installation;
  meters: Meters;
  log: EventLog;
}

/** Opens runs and their queues, which workers process. */
export function openScanning(env: Env, { db, box, hasSpace, acceptances, installation, meters, log }: ScanningOptions): { services: ScanningServices; queues: Queues } {
  const worker = installation === SINGLE_PROCESS ? thisProcess() : thisProcess(machineName());
  const shared = { db, weightOf, installation, worker, log };
  const queues = {
    page: createDatabaseQueue({ ...shared, onStart: (ms) => meters.waited("page", ms) }),
    site: createDatabaseQueue({ ...shared, name: "site", onStart: (ms) => meters.waited("site", ms) }),
    remote: createDatabaseQueue({ ...shared, name: "remote" }),
    print: createDatabaseQueue({ ...shared, name: "print" }),
  };
  const policy = addressPolicy(env);
  const runs = createRuns({ db, queues, mostWaiting: env.SCAN_WAITING_PER_ACCOUNT, box, retentionDays: env.RETENTION_DAYS, hasSpace, acceptances });
  return { services: { runs, events: createRunEvents(installation), refusesAddress: (host, port) => policy.refuses(host, port) }, queues };
}
