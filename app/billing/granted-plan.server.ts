import type { Trx } from "db/schema";
import { randomId } from "~/platform/crypto/tokens.server";
import { entitlesNow } from "./purchase-row.server";
import { planOf, type PlanKey } from "./plans/plans";

export interface Grant {
  plan: PlanKey;
  /** End of coverage for new scans; Unix time in ms. */
  until: number;
}

/** Grants a plan without payment, or changes the current granted plan; the payment provider does not know about it. */
export async function grantPlan(trx: Trx, userId: string, { plan, until }: Grant, now = Date.now()): Promise<void> {
  const { name, domains } = planOf(plan);
  const terms = {
    ...{ plan, plan_name: name, ends_at: until, period_end: until },
    ...{ url_limit: domains ?? 0, unlimited: domains === null ? (1 as const) : (0 as const) },
  };
  const running = await runningGrant(trx, userId, now);
  if (running) {
    const isLess = domains !== null && (running.unlimited === 1 || domains < running.url_limit);
    // A new end also gets a mail.
    const changes = { ...(isLess && { limit_lowered_at: now }), ...(running.ends_at !== until && { end_mailed_at: null }) };
    await trx.updateTable("purchase").set({ ...terms, ...changes }).where("id", "=", running.id).execute();
    return;
  }
  const row = { id: `granted_${randomId()}`, user_id: userId, kind: "subscription", status: "granted", grants: 1, granted: 1 } as const;
  // It ends automatically, like a canceled subscription, so that its holder can buy a plan meanwhile.
  const period = { created_at: now, period_start: now, cancel_at_period_end: 1 } as const;
  await trx.insertInto("purchase").values({ ...row, ...terms, ...period, amount: 0, currency: "eur", refunded: null }).execute();
}

/** Ends the granted plan now; covered reports stay readable. @returns false if none is active */
export async function takePlanBack(trx: Trx, userId: string, now = Date.now()): Promise<boolean> {
  const running = await runningGrant(trx, userId, now);
  if (!running) return false;
  await trx.updateTable("purchase").set({ ends_at: now, period_end: now }).where("id", "=", running.id).execute();
  return true;
}

async function runningGrant(trx: Trx, userId: string, now: number) {
  return trx
    .selectFrom("purchase")
    .select(["id", "url_limit", "unlimited", "ends_at"])
    .where("user_id", "=", userId)
    .where("granted", "=", 1)
    .where(entitlesNow(now))
    .executeTakeFirst();
}
