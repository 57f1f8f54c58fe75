import type { Db } from "db/schema";
import type { Fulfilments, FulfilmentResult, FulfilmentRequest, Together } from "~/billing/fulfilment";
import type { ScanRequests } from "./scan-request.server";
import type { Access } from "~/scan/types";
import type { Run } from "./run";
import type { Runs } from "./run.server";

export interface FulfilmentsOptions {
  db: Db;
  runs: Pick<Runs, "claim">;
  scanRequests: Pick<ScanRequests, "submitOnce" | "unlock">;
  /** The owner's choice about a mail after the scan; undefined if not chosen. */
  mailWish: (owner: string) => Promise<boolean | undefined>;
  /** Stored access data for scans of a site that is not public; null if there are none, undefined if they can no longer be read. */
  storedAccess: (owner: string, run: Pick<Run, "url" | "scope">) => Promise<Access | null | undefined>;
}

/** Delivery of a purchase. Every step is idempotent: it can be retried after any failure. */
export function createFulfilments({ db, runs, scanRequests, mailWish, storedAccess }: FulfilmentsOptions): Fulfilments {
  return { fulfil };

  async function fulfil(owner: string, { url, checkId, since }: FulfilmentRequest, together?: Together): Promise<FulfilmentResult | null> {
    if (!(await scanRequests.unlock(owner, { url }))) return null;
    if (checkId) await runs.claim(checkId, owner, url);
    const underWay = await scanOf(owner, url, since);
    if (underWay) return { scanId: underWay };
    const access = await storedAccess(owner, { url, scope: "site" });
    // Without access data, the sign-in page would be checked instead of the site.
    if (access === undefined) return { scanId: null, why: "access_lost" };
    const request = { url, scope: "site", level: "AA", access, mailWhenDone: await mailWish(owner) } as const;
    const submitted = await scanRequests.submitOnce(owner, request, { paid: together !== undefined, together });
    if (submitted.kind === "under_way") return { scanId: submitted.id };
    return { scanId: submitted.kind === "started" ? submitted.run.id : null };
  }

  /** Newest scan of a website that is unfinished, or was requested after `since` and has not failed. */
  async function scanOf(owner: string, url: string, since: number): Promise<string | undefined> {
    const row = await db
      .selectFrom("run")
      .select("id")
      .where("owner", "=", owner)
      .where("origin", "=", new URL(url).origin)
      .where("scope", "=", "site")
      .where("deleted_at", "is", null)
      .where("status", "!=", "failed")
      .where((eb) => eb.or([eb("status", "in", ["queued", "running"]), eb("created_at", ">=", since)]))
      .orderBy("created_at", "desc")
      .limit(1)
      .executeTakeFirst();
    return row?.id;
  }
}
