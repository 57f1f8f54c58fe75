import type { ExpressionBuilder } from "kysely";
import type { Database, Db, Trx } from "db/schema";
import type { RunStatus } from "db/tables/runs";
import { DAY_MS } from "~/platform/durations";
import { deleteAnyones, isInAddress, newestFirst } from "~/runs/list.server";
import type { Run } from "~/runs/run";
import type { Runs } from "~/runs/run.server";
import { shortId } from "~/runs/run-view";
import { noteAudit, type Actor, type AuditAction } from "./audit-log.server";
import type { RunChange, RunState } from "./run-states";

const STATUSES: Record<Exclude<RunState, "all">, RunStatus[]> = {
  under_way: ["queued", "running"],
  failed: ["failed"],
  canceled: ["canceled"],
};

/** Scan of any account, or of a visitor without one. Times are Unix time in ms. */
export interface QueueRow extends Pick<Run, "id" | "url" | "scope" | "status" | "reason" | "createdAt" | "knownPages"> {
  /** Null for a visitor without an account. */
  person: { id: string; email: string } | null;
  /** Start of its current state. */
  since: number;
  pages: number;
  failedPages: number;
  /** Queue position while it waits: 1 is next. */
  position: number | null;
  /** Whether it waits for another scan of the same owner and website. */
  isHeldBack: boolean;
}

interface QueueQuery {
  state: RunState;
  /** Part of an address; empty for all. */
  text: string;
  /** Pagination cursor: `next` of the previous page. */
  before?: string | null;
  limit: number;
}

export interface QueueOptions {
  db: Db;
  runs: Pick<Runs, "queuePosition" | "isHeldBack" | "cancelAnyones">;
  /** Called for each run that was canceled. */
  onChanged?: (runId: string) => void;
}

export type QueueOverview = ReturnType<typeof createQueueOverview>;

/** The scans of all accounts, for administrators. */
export function createQueueOverview({ db, runs, onChanged = () => {} }: QueueOptions) {
  return { list, byIds, counts, change };

  /** Newest first. */
  async function list({ state, text, before, limit }: QueueQuery): Promise<{ rows: QueueRow[]; next: string | null }> {
    // The index has no run that is deleted.
    let wanted = db.selectFrom("run").where("deleted_at", "is", null);
    if (state !== "all") wanted = wanted.where("status", "in", STATUSES[state]);
    if (text) wanted = wanted.where(isInAddress(text));
    const { ids, next } = await newestFirst(wanted, { before, limit });
    return { rows: await byIds(ids), next };
  }

  /** The scans with these ids, newest first. */
  async function byIds(ids: string[]): Promise<QueueRow[]> {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("run")
      .leftJoin("user", "user.id", "run.owner")
      .select(["run.id", "url", "scope", "status", "reason", "run.created_at", "started_at", "finished_at", "pages", "failed_pages", "known_pages"])
      .select(["user.id as person", "user.email"])
      .where("run.id", "in", ids)
      .where("deleted_at", "is", null)
      .orderBy("run.created_at", "desc")
      .orderBy("run.id", "desc")
      .execute();
    return Promise.all(
      rows.map(async ({ id, url, scope, status, reason, ...row }): Promise<QueueRow> => {
        const isWaiting = status === "queued";
        return {
          ...{ id, url, scope, status, reason },
          person: row.person !== null && row.email !== null ? { id: row.person, email: row.email } : null,
          createdAt: row.created_at,
          since: row.finished_at ?? (isWaiting ? row.created_at : (row.started_at ?? row.created_at)),
          pages: row.pages,
          failedPages: row.failed_pages,
          knownPages: row.known_pages,
          position: isWaiting ? await runs.queuePosition(id) : null,
          isHeldBack: isWaiting && (await runs.isHeldBack(id)),
        };
      }),
    );
  }

  /** Running and waiting scans, and scans that failed within 24 hours. */
  async function counts(now = Date.now()): Promise<{ running: number; waiting: number; failed: number }> {
    const count = ({ fn }: ExpressionBuilder<Database, "run">) => fn.countAll<number>().as("count");
    const present = (status: RunStatus) => db.selectFrom("run").where("deleted_at", "is", null).where("status", "=", status);
    const [running, waiting, failed] = await Promise.all([
      present("running").select(count).executeTakeFirstOrThrow(),
      present("queued").select(count).executeTakeFirstOrThrow(),
      present("failed").where("finished_at", ">", now - DAY_MS).select(count).executeTakeFirstOrThrow(),
    ]);
    return { running: running.count, waiting: waiting.count, failed: failed.count };
  }

  /**
   * Cancels or deletes scans; a deletion cancels first. Ended or deleted scans stay as they are.
   * @returns the number of changed scans
   */
  async function change(actor: Actor, what: RunChange, ids: string[]): Promise<number> {
    let changed = 0;
    for (const id of new Set(ids)) {
      const done = await db.transaction().execute(async (trx) => {
        const isCanceled = await runs.cancelAnyones(trx, id);
        const isDone = what === "cancel" ? isCanceled : await deleteAnyones(trx, id);
        if (isDone) await note(trx, actor, id, what === "cancel" ? "run_canceled" : "run_deleted");
        return isDone;
      });
      if (!done) continue;
      changed++;
      onChanged(id);
    }
    return changed;
  }
}

/** Only the number and the website: the whole id opens a scan without an owner, and an address may contain private data. */
async function note(trx: Trx, actor: Actor, id: string, action: AuditAction): Promise<void> {
  const run = await trx
    .selectFrom("run")
    .leftJoin("user", "user.id", "run.owner")
    .select(["origin", "user.id as person", "user.email"])
    .where("run.id", "=", id)
    .executeTakeFirstOrThrow();
  const subject = run.email === null ? undefined : { id: run.person, email: run.email };
  await noteAudit(trx, { actor, action, subject, details: { scan: shortId(id), website: run.origin } });
}
