import type { Db } from "db/schema";
import type { Run } from "~/runs/run";
import type { CriterionReview, CriterionReviews, Verdict } from "./verdict";

type RunOf = Pick<Run, "url" | "scope">;

export type CriterionReviewStore = ReturnType<typeof createCriterionReviews>;

/**
 * Verdicts of people on success criteria. A verdict belongs to a user and to what was scanned, a page or a website, so it holds in
 * every run of it. The caller has already found the run for its owner.
 */
export function createCriterionReviews({ db, now = Date.now }: { db: Db; now?: () => number }) {
  return { ofRun, answer };

  /** All verdicts on what a run is about, including those from earlier runs. */
  async function ofRun(owner: string, run: RunOf): Promise<CriterionReviews> {
    const rows = await db
      .selectFrom("criterion_review")
      .leftJoin("user", "user.id", "criterion_review.answered_by")
      .selectAll("criterion_review")
      .select("user.name")
      .where("owner", "=", owner)
      .where("scope", "=", run.scope)
      .where("address", "=", addressOf(run))
      .execute();
    return new Map(
      rows.map(({ criterion, verdict, note, name, answered_at }): [string, CriterionReview] => [criterion, { verdict, note, by: name ?? "", at: answered_at }]),
    );
  }

  /** Replaces an earlier verdict; `open` without a note takes it back. */
  async function answer(owner: string, run: RunOf, given: { criterion: string; verdict: Verdict; note: string | null }): Promise<void> {
    const { criterion, verdict, note } = given;
    const key = { owner, scope: run.scope, address: addressOf(run), criterion };
    if (verdict === "open" && note === null) {
      await db.deleteFrom("criterion_review").where((eb) => eb.and(key)).execute();
      return;
    }
    const facts = { verdict, note, answered_by: owner, answered_at: now() };
    await db
      .insertInto("criterion_review")
      .values({ ...key, ...facts })
      .onConflict((conflict) => conflict.columns(["owner", "scope", "address", "criterion"]).doUpdateSet(facts))
      .execute();
  }
}

/** A site by its origin, a page without the fragment, which is a position on the same page. */
function addressOf({ url, scope }: RunOf): string {
  const { origin, pathname, search } = new URL(url);
  return scope === "site" ? origin : `${origin}${pathname}${search}`;
}
