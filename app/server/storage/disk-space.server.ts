import { DEFAULT_LOCALE } from "~/platform/i18n/i18n";
import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Db } from "db/schema";
import type { Env } from "~/platform/env.server";
import type { Installation } from "~/platform/installation/installation";
import { startPeriodicTask } from "~/platform/async/periodic-task";
import { DAY_MS } from "~/platform/durations";
import { storageTrouble, type StorageTrouble } from "~/platform/storage-trouble";
import { writeLetter } from "~/mail/letters.server";
import { createEvidenceQuota } from "~/findings/evidence-quota.server";
import type { Mails } from "~/mail/outbox.server";
import { probeWrite } from "~/platform/storage-probe.server";
import { databaseFile } from "./database.server";
import { eventLog } from "~/server/event-log.server";

const MB = 1_000_000;
const LOOK_EVERY_MS = 15_000;
const ENFORCE_EVERY_MS = 60_000;
/**
 * Default limits, as shares of the disk. Evidence is most of the database. A backup makes a temporary copy of the database, and an
 * update one that is kept for a week: together, three quarters of the disk at most.
 */
const EVIDENCE_SHARE = 1 / 4;
const LEAST_EVIDENCE = 200 * MB;
const FREE_SHARE = 1 / 50;
const LEAST_FREE = 100 * MB;
const MOST_FREE = 1_000 * MB;
const LEAST_SPARE = 50 * MB;
/** Factor for the end of a shortage: scans are accepted again above this multiple of the limit. */
const AGAIN = 1.1;

/** `low`: no new scans are accepted. `failed`: nothing can be written. */
export type DiskState = "ok" | "low" | "failed";

export interface Storage {
  state: DiskState;
  freeBytes: number;
  evidenceBytes: number;
}

export interface StorageWatch {
  /** State of the last check. */
  last(): Storage;
  /** True if there is space for new scans. */
  hasSpace(): boolean;
  /** Starts the notifications. @param mails outbox for mails to the operator */
  start(mails: Pick<Mails, "post">): void;
  stop(): Promise<void>;
}

interface StorageOptions {
  db: Db;
  installation: Pick<Installation, "leads">;
  /** Deletes the objects of runs in the object store. */
  deleteObjectsOf?: (runIds: string[]) => Promise<void>;
}

/**
 * Watches free space and evidence, with a probe write, every 15 s. Reports changes to the operator by log and mail, at most one
 * mail a day.
 */
export async function watchStorage(env: Env, log: Logger, { db, installation, deleteObjectsOf }: StorageOptions): Promise<StorageWatch> {
  const folder = path.dirname(databaseFile(env));
  const { blocks, bsize } = await statfs(folder);
  const total = blocks * bsize;
  const leastFree = leastFreeBytes(env, total);
  const quota = createEvidenceQuota({ db, maxBytes: mostEvidenceBytes(env, total), deleteObjectsOf, log: eventLog(log) });
  let seen: Storage = { state: "ok", freeBytes: await freeBytes(), evidenceBytes: 0 };
  let trouble: StorageTrouble | "other" | null = null;
  let mails: Pick<Mails, "post"> | undefined;
  /** State whose mail could not be stored; logged once. */
  let untold: Storage["state"] | undefined;
  /** True if the disk had room for a copy of the database at the last check. */
  let hasRoom = true;
  const toldAt = { low: -Infinity, failed: -Infinity };
  const onError = (error: unknown) => log.error({ err: error }, "the disk could not be looked at");
  const looks = startPeriodicTask({ everyMs: LOOK_EVERY_MS, work: look, onError });
  // Separate task: it may take long.
  const quotas = startPeriodicTask({ everyMs: ENFORCE_EVERY_MS, work: enforce, onError });
  // No failure of the start: a server that cannot write can still show reports.
  await look().catch(onError);
  void quota.bytes().then((evidenceBytes) => (seen = { ...seen, evidenceBytes }), onError);

  return {
    last: () => seen,
    // Only a lack of space counts: for other trouble, the writes themselves wait or report it.
    hasSpace: () => seen.state !== "low" && trouble !== "full",
    start(given) {
      mails = given;
      void tell();
    },
    stop: () => Promise.all([looks.stop(), quotas.stop()]).then(() => {}),
  };

  async function look(): Promise<void> {
    const before = seen.state;
    const free = await freeBytes();
    const enough = before === "low" ? leastFree * AGAIN : leastFree;
    const problem = await probeWrite(db).then(() => null, (error: unknown) => error);
    const state = problem !== null ? "failed" : free < enough ? "low" : "ok";
    seen = { ...seen, state, freeBytes: free };
    trouble = problem === null ? null : (storageTrouble(problem) ?? "other");
    if (state !== before) announce(problem);
    await announceRoom(free);
    await tell();
  }

  async function enforce(): Promise<void> {
    if (seen.state === "failed") return;
    if (installation.leads()) await quota.enforce();
    seen = { ...seen, evidenceBytes: await quota.bytes() };
  }

  function announce(problem: unknown): void {
    const facts = { freeMb: Math.round(seen.freeBytes / MB), leastFreeMb: Math.round(leastFree / MB) };
    if (seen.state === "ok") return log.info(facts, "there is enough free space again");
    if (seen.state === "low") log.error(facts, "the disk is nearly full: no new scans begin");
    else log.error({ ...facts, err: problem }, PROBLEMS[storageTrouble(problem) ?? "other"]);
  }

  async function announceRoom(free: number): Promise<void> {
    const bytes = await databaseBytes(env);
    // Hysteresis: otherwise a value near the limit would be reported every 15 s.
    const before = hasRoom;
    hasRoom = free >= (before ? bytes : bytes * AGAIN);
    if (hasRoom === before) return;
    const facts = { freeMb: Math.round(free / MB), databaseMb: Math.round(bytes / MB) };
    if (hasRoom) log.info(facts, "there is room for a copy of the database again");
    else log.warn(facts, "less free space than the database takes: backups fail, and the next update may not start; make room, or lower EVIDENCE_MAX_MB");
  }

  /** Mails the operator about the state. Retried until the mail can be stored. */
  async function tell(now = Date.now()): Promise<void> {
    const to = env.OPERATOR_EMAIL ?? env.CONTACT_TO;
    const { state } = seen;
    // No mail can be stored while the database is locked or unreachable; a lock ends soon. `Math.abs`: the clock may have been set back.
    if (state === "ok" || trouble === "locked" || trouble === "unreachable" || !mails || !to || Math.abs(now - toldAt[state]) < DAY_MS) return;
    const values = { free: megabytes(seen.freeBytes), least: megabytes(leastFree), host: new URL(env.BASE_URL).host };
    const letter = writeLetter(state === "low" ? "disk_low" : "disk_failed", DEFAULT_LOCALE, values);
    const { post } = mails;
    await db
      .transaction()
      .execute((trx) => post(trx, { to, ...letter }))
      .then(() => void (toldAt[state] = now))
      .catch((error: unknown) => {
        if (untold !== state) log.error({ err: error }, "the operator could not be told by mail");
        untold = state;
      });
  }

  async function freeBytes(): Promise<number> {
    const { bavail, bsize: size } = await statfs(folder);
    return bavail * size;
  }
}

/** Minimum of free space for new scans. @param total size of the disk in bytes */
export function leastFreeBytes({ DISK_MIN_FREE_MB: set }: Env, total: number): number {
  return set === undefined ? clamp(total * FREE_SHARE, LEAST_FREE, MOST_FREE) : set * MB;
}

/** Free space that a backup must leave: its temporary copy must not stop scans. @param total size of the disk in bytes */
export function spareBytes(env: Env, total: number): number {
  return Math.max(leastFreeBytes(env, total) * AGAIN, LEAST_SPARE);
}

/** Maximum size of all stored evidence. @param total size of the disk in bytes */
export function mostEvidenceBytes({ EVIDENCE_MAX_MB: set }: Env, total: number): number {
  return set === undefined ? Math.max(total * EVIDENCE_SHARE, LEAST_EVIDENCE) : set * MB;
}

/** Maximum size of a copy of the database: this much must be free for a backup, and for an update. */
export async function databaseBytes(env: Env): Promise<number> {
  const file = databaseFile(env);
  // With the write-ahead log, which may contain the newest changes.
  const sizes = await Promise.all([file, `${file}-wal`].map((each) => stat(each).then(({ size }) => size, () => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const PROBLEMS = {
  full: "the disk is full: nothing can be written",
  locked: "another program has the database locked: nothing can be written",
  unreachable: "the database does not answer: nothing can be read or written",
  unwritable: "the disk cannot be written: it is read-only, broken or over its quota",
  other: "nothing can be written to the database",
};

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const megabytes = (bytes: number) => new Intl.NumberFormat(DEFAULT_LOCALE).format(Math.round(bytes / MB));
