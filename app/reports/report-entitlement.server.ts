import { sql } from "kysely";
import type { Db } from "db/schema";
import { CHECKED_VERSION, isNewAfter } from "~/billing/plans/plan-entitlement";
import { SHOWN_IN_FULL } from "./check/check.server";
import type { Acceptance } from "~/findings/acceptance/acceptance";
import type { ScanRequests } from "~/runs/scan-request.server";
import type { Reports } from "./report.server";
import type { Run } from "~/runs/run";

/** Maximum number of free checks to read for rules shown in full; a user rarely has more. */
const MOST_CHECKS = 10;

/** Ids of rules with visible name and count, but hidden elements. */
export type Withheld = ReadonlySet<string>;

/** Acceptance, without its element if the plan withholds the rule: it may have been accepted under another plan. */
export const withoutWithheld = <Kept extends Pick<Acceptance, "ruleId" | "pageUrl" | "html">>(acceptance: Kept, withheld: Withheld): Kept =>
  withheld.has(acceptance.ruleId) ? { ...acceptance, pageUrl: null, html: null } : acceptance;

export const NOTHING_WITHHELD: Withheld = new Set();

export interface ReportEntitlementsOptions {
  db: Db;
  scanRequests: Pick<ScanRequests, "fullVersionOf">;
  reports: Pick<Reports, "foundRules">;
}

export type ReportEntitlements = ReturnType<typeof createReportEntitlements>;

/** Parts of a report that its owner may read in full; checked each time, because plans change. */
export function createReportEntitlements({ db, scanRequests, reports }: ReportEntitlementsOptions) {
  return { withheld };

  /**
   * Withholds rules that are new in the run's WCAG version if neither the run nor the owner's plan includes it in full;
   * except rules whose elements the owner has seen in a free check of the website.
   */
  async function withheld(run: Run): Promise<Withheld> {
    const { owner, standard, fullVersion } = run;
    if (owner === null || fullVersion >= standard.version) return NOTHING_WITHHELD;
    if ((await scanRequests.fullVersionOf(owner, run)) === CHECKED_VERSION) return NOTHING_WITHHELD;
    const rows = await db.selectFrom("rule").select(["rule_id", "tags"]).where("tags", "like", "%wcag22a%").execute();
    const added = rows.filter(({ tags }) => isNewAfter(fullVersion, JSON.parse(tags) as string[])).map(({ rule_id }) => rule_id);
    if (added.length === 0) return NOTHING_WITHHELD;
    const seen = await seenInFull(owner, run);
    return new Set(added.filter((ruleId) => !seen.has(ruleId)));
  }

  /** Rules that the owner's free checks of the website showed in full before the payment. */
  async function seenInFull(owner: string, { url }: Run): Promise<Set<string>> {
    const { origin } = new URL(url);
    const checks = await db
      .selectFrom("run")
      .select("id")
      .where("owner", "=", owner)
      .where("claimed_at", "is not", null)
      .where(sql<boolean>`(url = ${origin} or substr(url, 1, ${origin.length + 1}) = ${`${origin}/`})`)
      .orderBy("claimed_at", "desc")
      .limit(MOST_CHECKS)
      .execute();
    const seen = new Set<string>();
    for (const { id } of checks) {
      // Including accepted rules: otherwise, accepting a rule would open a withheld one.
      const violated = (await reports.foundRules(id)).filter(({ category }) => category === "violations");
      for (const { ruleId } of violated.slice(0, SHOWN_IN_FULL)) seen.add(ruleId);
    }
    return seen;
  }
}
