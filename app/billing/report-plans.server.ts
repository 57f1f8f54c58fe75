import type { Db } from "db/schema";
import type { PlanKey } from "./plans/plans";
import { entitlesToReport } from "./purchase-entitlement";
import { limitOf } from "./purchase-row.server";

/** Purchases that open the full report of a run. */
export function createReportPlans({ db }: { db: Db }) {
  return { isEntitledToReport, plansForReport };

  /** Whether the full report of a run may be read. */
  async function isEntitledToReport(userId: string, run: { url: string; createdAt: number }): Promise<boolean> {
    return (await plansForReport(userId, run)).length > 0;
  }

  /** Plans that open the full report of a run, by the rule of `entitlesToReport`. */
  async function plansForReport(userId: string, { url, createdAt }: { url: string; createdAt: number }): Promise<PlanKey[]> {
    const { origin } = new URL(url);
    const rows = await db
      .selectFrom("registered_url")
      .innerJoin("purchase", "purchase.id", "registered_url.purchase_id")
      .select((eb) => [
        "registered_url.removed_at",
        "purchase.plan",
        "purchase.ends_at",
        "purchase.url_limit",
        "purchase.unlimited",
        "purchase.limit_lowered_at",
        eb
          .selectFrom("registered_url as earlier")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .whereRef("earlier.purchase_id", "=", "registered_url.purchase_id")
          .where("earlier.removed_at", "is", null)
          .where((earlier) =>
            earlier.or([
              earlier("earlier.added_at", "<", earlier.ref("registered_url.added_at")),
              earlier.and([
                earlier("earlier.added_at", "=", earlier.ref("registered_url.added_at")),
                earlier("earlier.id", "<", earlier.ref("registered_url.id")),
              ]),
            ]),
          )
          .as("before"),
      ])
      .where("purchase.user_id", "=", userId)
      .where("purchase.grants", "=", 1)
      .where("registered_url.origin", "=", origin)
      .where("registered_url.freed_by", "is", null)
      .execute();
    const coverageOf = (row: (typeof rows)[number]) => ({
      removedAt: row.removed_at,
      endsAt: row.ends_at,
      excludedAt: row.removed_at === null && Number(row.before) >= limitOf(row) ? (row.limit_lowered_at ?? 0) : null,
    });
    return rows.filter((row) => entitlesToReport([coverageOf(row)], { createdAt })).map(({ plan }) => plan);
  }
}
