import type { Db } from "db/schema";
import type { Together } from "~/billing/fulfilment";
import type { AfterRemoval } from "~/billing/websites/website-places";
import { CHECKED_VERSION, FULL_SCOPE, givesMore, scopeOfPlan, TRIAL_SCOPE, widest, type PlanScope } from "~/billing/plans/scope";
import { urlUsage, type UrlUsage } from "~/billing/websites/url-usage";
import type { Level } from "~/scan/types";
import type { Purchase, PurchaseModel } from "~/billing/purchase.server";
import { NoDiskSpace, TooManyWaiting, type NewRun, type Run, type Runs } from "./run.server";
import { ownRunsOf } from "~/billing/websites/website-place.server";

/** A scan that a user asks for. */
export type ScanRequest = Pick<NewRun, "url" | "scope" | "maxPages" | "excludedPaths" | "waitMs" | "waitFor" | "access"> & { level: Level };

/**
 * `full`: no purchase has room for one more URL; `nothing_bought`; `trial_used`: no free trial scans left;
 * `site_is_paid`: trial scans are for single pages; `level`: the plan does not include it; `waiting`: the account has the
 * maximum number of waiting scans.
 */
export type Refusal = "full" | "nothing_bought" | "trial_used" | "site_is_paid" | "level" | "waiting" | "no_space";

export type ScanAnswer =
  | { kind: "started"; run: Run; /** A URL was registered for it. */ registered: boolean }
  | { kind: "refused"; why: Refusal };

/** What a scan would count against, before it is requested. */
export interface Allowance {
  /** Everything is allowed, because nothing is sold. */
  open: boolean;
  /** Origins that are covered, in the order of registration. */
  covered: string[];
  /** URLs that may still be registered; null for any number. */
  room: number | null;
  usage: UrlUsage[];
  /** The highest level that a purchase or the trial includes. */
  level: Level;
  trial: { used: number; limit: number };
}

export interface ScanRequestsOptions {
  db: Db;
  runs: Pick<Runs, "start" | "mayWait" | "hasSpace">;
  purchases: Pick<PurchaseModel, "of" | "register" | "opens" | "opening">;
  /** Nothing is sold. */
  open: boolean;
  /** Free trial scans per account, for single pages. */
  trialScans: number;
}

export type ScanRequests = ReturnType<typeof createScanRequests>;

/** Entitlements: which scans a user may start, what they count against, and which reports are open in full. */
export function createScanRequests({ db, runs, purchases, open, trialScans }: ScanRequestsOptions) {
  return { allowance, submit, isUnlocked, planInFull, afterRemoval, unlock, mayGetMore };

  async function allowance(owner: string): Promise<Allowance> {
    const granting = open ? [] : await grantingOf(owner);
    const scopes = open ? [FULL_SCOPE] : granting.map(({ plan }) => scopeOfPlan(plan));
    return {
      open,
      covered: [...new Set(granting.flatMap(({ urls }) => urls.filter(({ covered }) => covered).map(({ origin }) => origin)))],
      room: numberOrAny(granting.reduce((sum, purchase) => sum + roomOf(purchase), 0)),
      usage: urlUsage(granting),
      level: (widest(scopes) ?? TRIAL_SCOPE).level,
      trial: { used: Math.min(await trialScansOf(owner), trialScans), limit: trialScans },
    };
  }

  /**
   * Starts a run if it is covered; otherwise nothing is scanned or counted.
   * @param together done in the transaction that starts a paid run; if it throws, the run is not started
   */
  async function submit(owner: string, request: ScanRequest, together?: Together): Promise<ScanAnswer> {
    // Check before registering a website for it.
    if (!together && !runs.hasSpace()) return refused("no_space");
    if (!together && !(await runs.mayWait(owner))) return refused("waiting");
    try {
      return await submitUnlessWaiting(owner, request, together);
    } catch (error) {
      // Another tab was quicker.
      if (error instanceof TooManyWaiting) return refused("waiting");
      if (error instanceof NoDiskSpace) return refused("no_space");
      throw error;
    }
  }

  async function submitUnlessWaiting(owner: string, request: ScanRequest, together?: Together): Promise<ScanAnswer> {
    const start = (scope: PlanScope) => runs.start({ ...newRun(owner, request, scope), paid: together !== undefined }, together);
    if (open) return started(await start(FULL_SCOPE), false);
    const granting = await grantingOf(owner);
    const covering = granting.filter((purchase) => coversOrigin(purchase, request.url));
    const scope = widest(covering.map(({ plan }) => scopeOfPlan(plan)));
    if (scope && includes(scope, request.level)) return started(await start(scope), false);

    const withRoom = takersOf(granting).filter((purchase) => roomOf(purchase) > 0);
    const taker = scope ? withRoom.find(({ plan }) => includes(scopeOfPlan(plan), request.level)) : withRoom[0];
    if (!taker) return scope ? refused("level") : tryOut(owner, request, granting.length > 0 ? "full" : "nothing_bought");
    const plan = scopeOfPlan(taker.plan);
    if (!includes(plan, request.level)) return refused("level");
    const registration = await purchases.register(owner, request.url, { more: true });
    // Another tab was quicker.
    if (registration === "full") return refused("full");
    return started(await start(plan), registration === "added");
  }

  async function tryOut(owner: string, request: ScanRequest, otherwise: Refusal): Promise<ScanAnswer> {
    if (trialScans === 0) return refused(otherwise);
    if ((await trialScansOf(owner)) >= trialScans) return refused(otherwise === "full" ? "full" : "trial_used");
    if (request.scope === "site") return refused("site_is_paid");
    if (!includes(TRIAL_SCOPE, request.level)) return refused("level");
    const trial = { ...newRun(owner, request, TRIAL_SCOPE), trial: true };
    const begin = runs.start(trial, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("user")
        .set((eb) => ({ trial_scans: eb("trial_scans", "+", 1) }))
        .where("id", "=", owner)
        .where("trial_scans", "<", trialScans)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new TrialUsed();
    });
    try {
      return started(await begin, false);
    } catch (error) {
      // Another tab was quicker.
      if (error instanceof TrialUsed) return refused("trial_used");
      throw error;
    }
  }

  /** May the owner see a run's full report? Asked each time: the payment may have been refunded. */
  async function isUnlocked(owner: string, run: Pick<Run, "url" | "createdAt">): Promise<boolean> {
    return open || purchases.opens(owner, run);
  }

  /** Effect of removing a website: reports that stay readable, and whether another purchase still covers it. */
  async function afterRemoval(owner: string, { id, origin }: { id: number; origin: string }): Promise<AfterRemoval> {
    const others = (await grantingOf(owner)).map((purchase) => ({ ...purchase, urls: purchase.urls.filter((url) => url.id !== id) }));
    const { count } = await ownRunsOf(db, { owner, origin })
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("deleted_at", "is", null)
      .whereRef("pages", ">", "failed_pages")
      .executeTakeFirstOrThrow();
    return { reports: count, covered: open || others.some((purchase) => coversOrigin(purchase, origin)) };
  }

  /** The WCAG version that the plans opening a run's report include in full; null if no plan opens it. */
  async function planInFull(owner: string, run: Pick<Run, "url" | "createdAt">): Promise<PlanScope["inFull"] | null> {
    if (open) return FULL_SCOPE.inFull;
    return widest((await purchases.opening(owner, run)).map(scopeOfPlan))?.inFull ?? null;
  }

  /**
   * Registers a run's URL with the purchase that gives most for it and has room; false if a purchase is needed first.
   */
  async function unlock(owner: string, { url }: Pick<Run, "url">): Promise<boolean> {
    return open || (await purchases.register(owner, url, { more: true })) !== "full";
  }

  /** Would a purchase with room give more for a website than the purchases that cover it? */
  async function mayGetMore(owner: string, url: string): Promise<boolean> {
    const granting = open ? [] : await grantingOf(owner);
    const covering = granting.filter((purchase) => coversOrigin(purchase, url));
    return granting.some((purchase) => roomOf(purchase) > 0 && covering.every((other) => givesMore(purchase, other)));
  }

  async function grantingOf(owner: string): Promise<Purchase[]> {
    return (await purchases.of(owner)).filter(({ grants }) => grants);
  }

  async function trialScansOf(owner: string): Promise<number> {
    const row = await db.selectFrom("user").select("trial_scans").where("id", "=", owner).executeTakeFirst();
    return row?.trial_scans ?? 0;
  }
}

class TrialUsed extends Error {}

function newRun(owner: string, { level, ...request }: ScanRequest, { inFull }: PlanScope): NewRun {
  return { ...request, owner, standard: { version: CHECKED_VERSION, level }, fullVersion: inFull };
}

const started = (run: Run, registered: boolean): ScanAnswer => ({ kind: "started", run, registered });
const refused = (why: Refusal): ScanAnswer => ({ kind: "refused", why });

const includes = (scope: PlanScope, level: Level) => level.length <= scope.level.length;

/** Purchases in the order of registration: subscriptions first, then payments, the oldest first. */
function takersOf(granting: Purchase[]): Purchase[] {
  return granting.toSorted((a, b) => b.kind.localeCompare(a.kind) || a.createdAt - b.createdAt);
}

const roomOf = ({ urlLimit, urls }: Purchase) => Math.max(0, (urlLimit ?? Infinity) - urls.length);
const numberOrAny = (count: number) => (count === Infinity ? null : count);

function coversOrigin({ urls }: Purchase, url: string): boolean {
  const { origin } = new URL(url);
  return urls.some((each) => each.covered && each.origin === origin);
}
