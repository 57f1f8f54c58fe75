import { domainToASCII } from "node:url";
import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import { containsText } from "db/contains-text";
import type { Database, Db, Trx } from "db/schema";
import type { RunStatus } from "db/tables/runs";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import { MINUTE_MS } from "~/platform/durations";
import { withoutAccepted } from "./accepted-sums.server";
import type { Run } from "./run";
import { toRun } from "./run-row.server";
import type { Runs } from "./run.server";

/** Grace period in which a deleted run can be restored. */
export const UNDO_MINUTES = 10;
export const UNDO_MS = UNDO_MINUTES * MINUTE_MS;

export interface RunFilter {
  /** Part of the address. */
  text?: string;
  status?: RunStatus;
  /** Scheme and host of the website. */
  origin?: string;
  scope?: Run["scope"];
  /** Pagination cursor: `next` of the previous page; an invalid one starts from the newest. */
  before?: string | null;
  limit: number;
}

export interface RunList {
  runs: Run[];
  /** Pagination cursor: `before` of the next, older page; null at the end. */
  next: string | null;
}

export interface RunListsOptions {
  db: Db;
  runs: Pick<Runs, "cancel">;
  acceptances?: Pick<Acceptances, "ofRuns">;
  /** Called after runs were deleted or restored: comparisons of later runs may have changed. */
  forgetChanges?: (owner: string, ids: string[]) => Promise<void>;
  now?: () => number;
}

export type RunLists = ReturnType<typeof createRunLists>;

/** Runs of a user: list, delete, restore. Times are Unix time in ms. */
export function createRunLists({ db, runs, acceptances = createAcceptances({ db }), forgetChanges = async () => {}, now = Date.now }: RunListsOptions) {
  return { list, byIds, remove, isRemoved, latestRemoval, restore };

  /** List of runs, newest first. */
  async function list(owner: string, { text, status, origin, scope, before, limit }: RunFilter): Promise<RunList> {
    let wanted = db.selectFrom("run").where("owner", "=", owner).where("deleted_at", "is", null);
    if (text) wanted = wanted.where(isInAddress(text));
    if (origin) wanted = wanted.where("origin", "=", origin);
    if (scope) wanted = wanted.where("scope", "=", scope);
    if (status) wanted = wanted.where("status", "=", status);
    const { ids, next } = await newestFirst(wanted, { before, limit });
    return { runs: await ownRows(owner, ids), next };
  }

  /** Runs of the user with these ids, newest first. */
  async function byIds(owner: string, ids: string[]): Promise<Run[]> {
    return ownRows(owner, ids);
  }

  async function ownRows(owner: string, ids: string[]): Promise<Run[]> {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("run")
      .selectAll()
      .where("id", "in", ids)
      .where("owner", "=", owner)
      .where("deleted_at", "is", null)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute();
    return withoutAccepted(acceptances, rows.map(toRun));
  }

  /** Deletes runs, and cancels unfinished ones. @returns number of deleted runs */
  async function remove(owner: string, ids: string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const open = await db
      .selectFrom("run")
      .select("id")
      .where("id", "in", ids)
      .where("owner", "=", owner)
      .where("status", "in", ["queued", "running"])
      .execute();
    for (const { id } of open) await runs.cancel(id, owner);
    const { numUpdatedRows } = await db
      .updateTable("run")
      .set({ deleted_at: now() })
      .where("id", "in", ids)
      .where("owner", "=", owner)
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow();
    await forgetChanges(owner, ids);
    return Number(numUpdatedRows);
  }

  /** True if one of these runs of the user is already deleted, for example after a second click. */
  async function isRemoved(owner: string, ids: string[]): Promise<boolean> {
    if (ids.length === 0) return false;
    const removed = db.selectFrom("run").select("id").where("id", "in", ids).where("owner", "=", owner).where("deleted_at", "is not", null);
    return (await removed.limit(1).executeTakeFirst()) !== undefined;
  }

  /** The latest deletion, of one or several runs, if it can still be undone. */
  async function latestRemoval(owner: string): Promise<{ at: number; count: number } | null> {
    const row = await db
      .selectFrom("run")
      .select((eb) => ["deleted_at as at", eb.fn.countAll<number>().as("count")])
      .where("owner", "=", owner)
      .where("deleted_at", "is not", null)
      .where("deleted_at", ">", now() - UNDO_MS)
      .groupBy("deleted_at")
      .orderBy("deleted_at", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && row.at !== null ? { at: row.at, count: row.count } : null;
  }

  /** Restores the runs deleted at a time. @returns number of restored runs */
  async function restore(owner: string, at: number): Promise<number> {
    const restored = await db
      .updateTable("run")
      .set({ deleted_at: null })
      .where("owner", "=", owner)
      .where("deleted_at", "=", at)
      .where("deleted_at", ">", now() - UNDO_MS)
      .returning("id")
      .execute();
    const ids = restored.map(({ id }) => id);
    if (ids.length > 0) await forgetChanges(owner, ids);
    return ids.length;
  }
}

/**
 * Deletes a finished run of any account, or of none: its owner cannot restore it, and the next clean-up deletes all of its data.
 * @returns false if it is already deleted
 */
export async function deleteAnyones(trx: Trx, id: string, now = Date.now()): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("run")
    .set({ deleted_at: now - UNDO_MS })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Spellings of a text in an address: as typed, and with non-ASCII host name or path encoded as in addresses. */
export function addressSpellings(text: string): string[] {
  const typed = text.toLowerCase().toWellFormed();
  if (!/\P{ASCII}/u.test(typed)) return [typed];
  const [name = ""] = /^[\p{L}\p{M}\p{N}.-]*/u.exec(typed) ?? [];
  const address = `${domainToASCII(name) || encodeURI(name)}${encodeURI(typed.slice(name.length))}`;
  return [typed, address, encodeURI(typed)].filter(Boolean).map((spelling) => spelling.toLowerCase());
}

/** Condition: the address of a run contains this text. */
export const isInAddress = (text: string) => (eb: ExpressionBuilder<Database, "run">) =>
  eb.or(addressSpellings(text).map((part) => containsText(["run.url"], part)));

/**
 * One page of a list of runs, newest first. Reads ids from an index: reading all rows of a user would take ten times as long.
 * @param wanted query for the runs of the whole list
 */
export async function newestFirst(wanted: SelectQueryBuilder<Database, "run", object>, { before, limit }: Pick<RunFilter, "before" | "limit">): Promise<{ ids: string[]; next: RunList["next"] }> {
  const cursor = readCursor(before);
  const following = cursor ? wanted.where((eb) => eb(eb.refTuple("created_at", "id"), "<", eb.tuple(cursor.createdAt, cursor.id))) : wanted;
  const rows = await following
    .select(["id", "created_at as createdAt"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { ids: shown.map(({ id }) => id), next: last && rows.length > limit ? cursorAfter(last) : null };
}

/** Pagination cursor: position in a list of runs, newest first, after the given run. */
const cursorAfter = ({ createdAt, id }: Pick<Run, "createdAt" | "id">): string => `${createdAt}.${id}`;

function readCursor(before: string | null | undefined): { createdAt: number; id: string } | undefined {
  const [, createdAt, id] = /^(\d{1,15})\.([\w-]+)$/.exec(before ?? "") ?? [];
  return createdAt && id ? { createdAt: Number(createdAt), id } : undefined;
}
