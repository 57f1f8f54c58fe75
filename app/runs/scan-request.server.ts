import type { Db } from "db/schema";
import type { Together } from "~/billing/fulfilment";
import type { AfterRemoval } from "~/billing/websites/website-slots";
import { CHECKED_VERSION, FULL_ENTITLEMENT, givesMore, entitlementOfPlan, TRIAL_ENTITLEMENT, highestEntitlement, type PlanEntitlement } from "~/billing/plans/plan-entitlement";
import { coversOrigin, roomOf } from "~/billing/websites/coverage";
import { urlUsage, type UrlUsage } from "~/billing/websites/url-usage";
import type { Level } from "~/scan/types";
import type { Purchase } from "~/billing/purchase";
import type { PurchaseModel, Registration } from "~/billing/purchase.server";
import { accountLimits } from "./account-limits.server";
import type { Run } from "./run";
import { NoDiskSpace, TooManyWaiting, type NewRun, type Runs } from "./run.server";
import { ownRunsOf } from "~/billing/websites/website-slot.server";

/** Scan requested by a user. */
export type ScanRequest = Pick<NewRun, "url" | "scope" | "maxPages" | "excludedPaths" | "waitMs" | "waitFor" | "access" | "mailWhenDone"> & { level: Level };

/**
 * `full`: no purchase has room for one more URL; `nothing_bought`; `trial_used`: no free trial scans left;
 * `site_is_paid`: trial scans are for single pages; `level`: the plan does not include it; `waiting`: the account has the
 * maximum number of waiting scans; `unconfirmed`: scans outside a purchase require a confirmed address.
 */
export type Refusal = "full" | "nothing_bought" | "trial_used" | "site_is_paid" | "level" | "waiting" | "no_space" | "unconfirmed";

export type ScanAnswer =
  | { kind: "started"; run: Run; /** A URL was registered for it. */ registered: boolean }
  | { kind: "refused"; why: Refusal };

export interface SubmitOptions {
  /** True for a paid scan: limits are ignored. */
  paid?: boolean;
  /** Work in the transaction that starts the run; if it throws, the run is not started. */
  together?: Together;
}

/** Scans that a user may start, and what a scan would count against. */
export interface ScanEntitlement {
  /** True if everything is allowed, because nothing is sold. */
  open: boolean;
  /** Covered origins, in the order of registration. */
  covered: string[];
  /** Number of URLs that may still be registered; null for any number. */
  room: number | null;
  usage: UrlUsage[];
  /** Highest level in a purchase or the trial. */
  level: Level;
  trial: { used: number; limit: number };
  /** True if scans begin only after the address is confirmed. */
  unconfirmed: boolean;
}

export interface ScanRequestsOptions {
  db: Db;
  runs: Pick<Runs, "start">;
  purchases: Pick<PurchaseModel, "of" | "register" | "registerIn" | "isEntitledToReport" | "plansForReport">;
  /** True if nothing is sold. */
  open: boolean;
  /** Number of free trial scans per account, for single pages. */
  trialScans: number;
  /** True if scans outside a purchase require a confirmed address. */
  confirmedOnly?: boolean;
  /** Limits of this installation. */
  limits?: ScanLimits;
}

/** Maximum waiting scans of an account, and maximum pages of a site. */
export interface ScanLimits {
  waiting: number;
  pages: number;
}

export type ScanRequests = ReturnType<typeof createScanRequests>;

/** Entitlements: which scans a user may start, what they count against, and which reports are open in full. */
export function createScanRequests({ db, runs, purchases, open, trialScans, confirmedOnly = false, limits = { waiting: Infinity, pages: Infinity } }: ScanRequestsOptions) {
  return { limitsOf, entitlementOf, mayHaveOwnCover, submit, submitOnce, isUnlocked, fullVersionOf, afterRemoval, unlock, canUpgrade };

  /** Limits of an account: set by an administrator, else those of the installation. */
  async function limitsOf(owner: string): Promise<ScanLimits> {
    const own = await accountLimits(db, owner);
    return { waiting: own.waiting ?? limits.waiting, pages: own.pages ?? limits.pages };
  }

  async function entitlementOf(owner: string): Promise<ScanEntitlement> {
    const entitling = open ? [] : await entitlingPurchasesOf(owner);
    const entitlements = open ? [FULL_ENTITLEMENT] : entitling.map(({ plan }) => entitlementOfPlan(plan));
    return {
      open,
      covered: [...new Set(entitling.flatMap(({ urls }) => urls.filter(({ covered }) => covered).map(({ origin }) => origin)))],
      room: numberOrAny(entitling.reduce((sum, purchase) => sum + roomOf(purchase), 0)),
      usage: urlUsage(entitling),
      level: (highestEntitlement(entitlements) ?? TRIAL_ENTITLEMENT).level,
      trial: { used: Math.min(await trialScansOf(owner), trialScans), limit: trialScans },
      unconfirmed: (open || (entitling.length === 0 && trialScans > 0)) && !(await isKnown(owner)),
    };
  }

  /** True if a purchase now includes an own cover of reports. */
  async function mayHaveOwnCover(owner: string): Promise<boolean> {
    return open || (await entitlingPurchasesOf(owner)).some(({ plan }) => entitlementOfPlan(plan).ownCover);
  }

  /** Starts a run if it is covered; otherwise nothing is scanned and nothing counts. */
  async function submit(owner: string, request: ScanRequest, options: SubmitOptions = {}): Promise<ScanAnswer> {
    try {
      return await submitEntitled(owner, request, options);
    } catch (error) {
      if (error instanceof TooManyWaiting) return refused("waiting");
      if (error instanceof NoDiskSpace) return refused("no_space");
      throw error;
    }
  }

  /** Like `submit`, but answers `under_way` if such a scan already waits or runs: a double click starts one scan. */
  async function submitOnce(owner: string, request: ScanRequest, options: SubmitOptions = {}): Promise<ScanAnswer | { kind: "under_way"; id: string }> {
    const together: Together = async (trx, runId) => {
      const other = await runUnderWay(trx, owner, request);
      if (other !== null) throw new UnderWay(other);
      await options.together?.(trx, runId);
    };
    try {
      const answer = await submit(owner, request, { ...options, together });
      // The first click may have taken the last trial scan, or the last queue place.
      const other = answer.kind === "refused" ? await runUnderWay(db, owner, request) : null;
      return other === null ? answer : { kind: "under_way", id: other };
    } catch (error) {
      if (error instanceof UnderWay) return { kind: "under_way", id: error.run };
      throw error;
    }
  }

  async function submitEntitled(owner: string, request: ScanRequest, { paid = false, together }: SubmitOptions): Promise<ScanAnswer> {
    const start = (entitlement: PlanEntitlement, also = together) => runs.start({ ...newRun(owner, request, entitlement), paid }, also);
    if (open) return (await isKnown(owner)) ? started(await start(FULL_ENTITLEMENT), false) : refused("unconfirmed");
    const entitling = await entitlingPurchasesOf(owner);
    const covering = entitling.filter((purchase) => coversOrigin(purchase, request.url));
    const covered = highestEntitlement(covering.map(({ plan }) => entitlementOfPlan(plan)));
    if (covered && includes(covered, request.level)) return started(await start(covered), false);

    const withRoom = inRegistrationOrder(entitling).filter((purchase) => roomOf(purchase) > 0);
    const purchase = covered ? withRoom.find(({ plan }) => includes(entitlementOfPlan(plan), request.level)) : withRoom[0];
    if (!purchase) return covered ? refused("level") : startTrial(owner, request, entitling.length > 0 ? "full" : "nothing_bought", together);
    const plan = entitlementOfPlan(purchase.plan);
    if (!includes(plan, request.level)) return refused("level");
    let registration = "full" as Registration;
    try {
      // Atomic: a refused scan must not take the slot of a website.
      const run = await start(plan, async (trx, runId) => {
        registration = await purchases.registerIn(trx, owner, request.url, { more: true });
        if (registration === "full") throw new NoRoom();
        await together?.(trx, runId);
      });
      return started(run, registration === "added");
    } catch (error) {
      // Another tab was faster.
      if (error instanceof NoRoom) return refused("full");
      throw error;
    }
  }

  async function startTrial(owner: string, request: ScanRequest, otherwise: Refusal, together?: Together): Promise<ScanAnswer> {
    if (trialScans === 0) return refused(otherwise);
    if ((await trialScansOf(owner)) >= trialScans) return refused(otherwise === "full" ? "full" : "trial_used");
    if (request.scope === "site") return refused("site_is_paid");
    if (!includes(TRIAL_ENTITLEMENT, request.level)) return refused("level");
    if (!(await isKnown(owner))) return refused("unconfirmed");
    const trial = { ...newRun(owner, request, TRIAL_ENTITLEMENT), trial: true };
    const begin = runs.start(trial, async (trx, runId) => {
      const { numUpdatedRows } = await trx
        .updateTable("user")
        .set((eb) => ({ trial_scans: eb("trial_scans", "+", 1) }))
        .where("id", "=", owner)
        .where("trial_scans", "<", trialScans)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new TrialUsed();
      await together?.(trx, runId);
    });
    try {
      return started(await begin, false);
    } catch (error) {
      // Another tab was faster.
      if (error instanceof TrialUsed) return refused("trial_used");
      throw error;
    }
  }

  /** True if the owner may read a run's full report. Checked each time: the payment may have been refunded. */
  async function isUnlocked(owner: string, run: Pick<Run, "url" | "createdAt">): Promise<boolean> {
    return open || purchases.isEntitledToReport(owner, run);
  }

  /** Effect of removing a website: number of reports that stay readable, and whether another purchase still covers it. */
  async function afterRemoval(owner: string, { id, origin }: { id: number; origin: string }): Promise<AfterRemoval> {
    const others = (await entitlingPurchasesOf(owner)).map((purchase) => ({ ...purchase, urls: purchase.urls.filter((url) => url.id !== id) }));
    const { count } = await ownRunsOf(db, { owner, origin })
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("deleted_at", "is", null)
      .whereRef("pages", ">", "failed_pages")
      .executeTakeFirstOrThrow();
    return { reports: count, covered: open || others.some((purchase) => coversOrigin(purchase, origin)) };
  }

  /** WCAG version with a full report of a run for the owner; null if no plan includes the report. */
  async function fullVersionOf(owner: string, run: Pick<Run, "url" | "createdAt">): Promise<PlanEntitlement["fullVersion"] | null> {
    if (open) return FULL_ENTITLEMENT.fullVersion;
    return highestEntitlement((await purchases.plansForReport(owner, run)).map(entitlementOfPlan))?.fullVersion ?? null;
  }

  /**
   * Registers a run's URL with the best purchase that has room; false if a purchase is needed first.
   */
  async function unlock(owner: string, { url }: Pick<Run, "url">): Promise<boolean> {
    return open || (await purchases.register(owner, url, { more: true })) !== "full";
  }

  /** True if a purchase with room includes more for a website than the purchases that cover it. */
  async function canUpgrade(owner: string, url: string): Promise<boolean> {
    const entitling = open ? [] : await entitlingPurchasesOf(owner);
    const covering = entitling.filter((purchase) => coversOrigin(purchase, url));
    return entitling.some((purchase) => roomOf(purchase) > 0 && covering.every((other) => givesMore(purchase, other)));
  }

  async function entitlingPurchasesOf(owner: string): Promise<Purchase[]> {
    return (await purchases.of(owner)).filter(({ entitles }) => entitles);
  }

  /** True if the owner has confirmed the address. Administrators need no confirmation. */
  async function isKnown(owner: string): Promise<boolean> {
    if (!confirmedOnly) return true;
    const row = await db.selectFrom("user").select(["email_verified", "administrator"]).where("id", "=", owner).executeTakeFirst();
    return row?.email_verified === 1 || row?.administrator === 1;
  }

  async function trialScansOf(owner: string): Promise<number> {
    const row = await db.selectFrom("user").select("trial_scans").where("id", "=", owner).executeTakeFirst();
    return row?.trial_scans ?? 0;
  }
}

class TrialUsed extends Error {}
class NoRoom extends Error {}

class UnderWay extends Error {
  constructor(readonly run: string) {
    super();
  }
}

function newRun(owner: string, { level, ...request }: ScanRequest, { fullVersion }: PlanEntitlement): NewRun {
  return { ...request, owner, standard: { version: CHECKED_VERSION, level }, fullVersion: fullVersion };
}

const started = (run: Run, registered: boolean): ScanAnswer => ({ kind: "started", run, registered });
const refused = (why: Refusal): ScanAnswer => ({ kind: "refused", why });

const includes = (entitlement: PlanEntitlement, level: Level) => level.length <= entitlement.level.length;

/** Purchases in the order of registration: subscriptions first, then payments, the oldest first. */
function inRegistrationOrder(entitling: Purchase[]): Purchase[] {
  return entitling.toSorted((a, b) => b.kind.localeCompare(a.kind) || a.createdAt - b.createdAt);
}

const numberOrAny = (count: number) => (count === Infinity ? null : count);

/** Newest unfinished run of a site, or of a page at this address; null if there is none. */
async function runUnderWay(db: Db, owner: string, { url, scope }: Pick<Run, "url" | "scope">): Promise<string | null> {
  const row = await db
    .selectFrom("run")
    .select("id")
    .where("owner", "=", owner)
    .where("origin", "=", new URL(url).origin)
    .where("scope", "=", scope)
    .$if(scope === "page", (query) => query.where("url", "=", url))
    .where("status", "in", ["queued", "running"])
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row?.id ?? null;
}
