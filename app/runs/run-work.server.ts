import type { Selectable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { RunTable } from "db/tables/runs";
import { settleSlot } from "~/billing/websites/website-slot.server";
import type { Access, EngineVersion, PageResult, Reason, Standard } from "~/scan/types";
import { accountLimits } from "./account-limits.server";
import { beginNextPage, dropPageFacts, failOpenPages, hasOpenPages, reasonOfFirstPage, requeuePages } from "./page.server";
import { toRun } from "./run-row.server";
import { NONE_STORED } from "~/findings/picture-store.server";
import { addResult } from "./run-sums.server";
import { openAccess, type AccessBox } from "./stored-access.server";

/** Input of a check. */
export interface RunRequest {
  url: string;
  standard: Standard;
  maxPages?: number;
  /** Maximum pages of a site for this account, instead of the limit of the installation. */
  accountMaxPages?: number;
  excludedPaths: string[];
  waitMs?: number;
  waitFor?: string;
  access?: Access & { origin: string };
  /** Pictures of elements; only a few for a free check. */
  pictures: true | "few";
  /** Same as in `PageRequest`: true for runs of Pro and Enterprise, and if nothing is sold. */
  advanced: boolean;
}

export interface RunWorkOptions {
  db: Db;
  box: AccessBox;
  now: () => number;
}

/** Operations of a worker on a run. Functions with a `Trx` belong to the queue's transaction and use only that. */
export function createRunWork({ db, box, now }: RunWorkOptions) {
  return { begin, resume, finish, conclude, requeue, fail };

  /** Marks a run and its page as running. Undefined if nothing is left to do. */
  function begin(id: string): Promise<RunRequest | undefined> {
    return db.transaction().execute(async (trx) => {
      const request = await markRunning(trx, id);
      const url = request && (await beginNextPage(trx, id));
      return url ? { ...request, url } : undefined;
    });
  }

  /** Marks the run of a site as running, or continues it. Undefined if nothing is left to do. */
  function resume(id: string): Promise<RunRequest | undefined> {
    return db.transaction().execute((trx) => markRunning(trx, id));
  }

  async function markRunning(trx: Trx, id: string): Promise<RunRequest | undefined> {
    const row = await trx
      .updateTable("run")
      .set((eb) => ({ status: "running", started_at: eb.fn.coalesce("started_at", eb.val(now())) }))
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    const { url, standard, isAdvanced, maxPages, excludedPaths, waitMs, waitFor, owner } = toRun(row);
    const access = accessOf(row);
    if (access === null) {
      await fail(trx, id, "login_required");
      return undefined;
    }
    const limits = await accountLimits(trx, owner);
    return {
      url,
      standard,
      maxPages: maxPages ?? undefined,
      accountMaxPages: limits.pages ?? undefined,
      excludedPaths,
      waitMs: waitMs ?? undefined,
      waitFor: waitFor ?? undefined,
      access,
      pictures: owner === null ? "few" : true,
      advanced: isAdvanced,
    };
  }

  /** Access data; null if the encryption key is lost: without access, the sign-in page would be checked instead of the site. */
  function accessOf({ access: sealed, url }: Selectable<RunTable>): RunRequest["access"] | null {
    if (sealed === null) return undefined;
    const access = openAccess(box, sealed);
    return access ? { ...access, origin: new URL(url).origin } : null;
  }

  /**
   * Stores the outcome of a page. The last open page ends the run.
   * @throws if the page is not open: nothing is stored twice.
   */
  async function finish(trx: Trx, id: string, result: PageResult, engines: EngineVersion[], stored = NONE_STORED): Promise<void> {
    await addResult(trx, id, result, engines, stored);
    if (!(await hasOpenPages(trx, id))) await conclude(trx, id);
  }

  /** Ends a run: succeeded if at least one page was checked; otherwise failed, with the reason of the first page. */
  async function conclude(trx: Trx, id: string): Promise<void> {
    const { pages, failed_pages } = await trx
      .selectFrom("run")
      .select(["pages", "failed_pages"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const reason = pages > failed_pages ? null : await reasonOfFirstPage(trx, id);
    await trx
      .updateTable("run")
      .set({ status: pages > failed_pages ? "succeeded" : "failed", reason, finished_at: now(), access: null })
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .execute();
    await settleSlot(trx, id, now());
  }

  /** Puts a run back to waiting, after its worker stopped or died. */
  async function requeue(trx: Trx, id: string): Promise<void> {
    await requeuePages(trx, id);
    await trx
      .updateTable("run")
      .set({ status: "queued" })
      .where("id", "=", id)
      .where("status", "=", "running")
      .execute();
  }

  /** Ends an unfinished run as failed. */
  async function fail(trx: Trx, id: string, reason: Reason): Promise<void> {
    const failedPages = await failOpenPages(trx, id, reason);
    await dropPageFacts(trx, id);
    await trx.deleteFrom("known_address").where("run_id", "=", id).execute();
    await trx
      .updateTable("run")
      .set((eb) => ({
        status: "failed",
        reason,
        finished_at: now(),
        access: null,
        pages: eb("pages", "+", failedPages),
        failed_pages: eb("failed_pages", "+", failedPages),
      }))
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .execute();
    await settleSlot(trx, id, now());
  }
}
