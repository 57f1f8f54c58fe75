import type { Db } from "db/schema";
import { hashOf } from "~/platform/crypto/tokens.server";
import type { Run } from "~/runs/run";
import type { CriterionReview, CriterionReviews, Verdict } from "./verdict";

/** Length of a mark: enough to distinguish all verdicts on a criterion. */
const MARK_LENGTH = 22;

type RunOf = Pick<Run, "url" | "scope">;

/** Verdict of a person on a criterion. */
export interface GivenVerdict {
  criterion: string;
  verdict: Verdict;
  note: string | null;
  /** Mark of the verdict that the person has seen; without it, the new verdict replaces any other. */
  was?: string;
}

export type CriterionReviewStore = ReturnType<typeof createCriterionReviews>;

/**
 * Verdicts of people on success criteria. A verdict belongs to a user and to the scanned page or website, so it is valid in
 * every run of it. The caller has already found the run for its owner.
 */
export function createCriterionReviews({ db, now = Date.now }: { db: Db; now?: () => number }) {
  return { ofRun, answer };

  /** All verdicts on the page or website of a run, including those from earlier runs. */
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

  /**
   * Replaces earlier verdicts; `open` without a note withdraws a verdict.
   * @returns criteria whose verdict has changed since the person saw it; if there are any, nothing is saved
   */
  async function answer(owner: string, run: RunOf, given: GivenVerdict[]): Promise<Set<string>> {
    const changed = new Set<string>();
    const of = { owner, scope: run.scope, address: addressOf(run) };
    await db.transaction().execute(async (trx) => {
      const stored = await trx.selectFrom("criterion_review").select(["criterion", "verdict", "note"]).where((eb) => eb.and(of)).execute();
      const marks = new Map(stored.map((row) => [row.criterion, markOf(row)]));
      const markNow = (criterion: string) => marks.get(criterion) ?? "";
      const hasChanged = ({ criterion, was }: GivenVerdict) => was !== undefined && was !== markNow(criterion);
      // An equal verdict of another person is no conflict.
      for (const each of given) if (hasChanged(each) && markNow(each.criterion) !== markOf(each)) changed.add(each.criterion);
      if (changed.size > 0) return;
      for (const { criterion, verdict, note } of given.filter((each) => !hasChanged(each))) {
        const key = { ...of, criterion };
        if (verdict === "open" && note === null) {
          await trx.deleteFrom("criterion_review").where((eb) => eb.and(key)).execute();
          continue;
        }
        const facts = { verdict, note, answered_by: owner, answered_at: now() };
        await trx
          .insertInto("criterion_review")
          .values({ ...key, ...facts })
          .onConflict((conflict) => conflict.columns(["owner", "scope", "address", "criterion"]).doUpdateSet(facts))
          .execute();
      }
    });
    return changed;
  }
}

/** Mark of a verdict, for detecting changes; "" for none. Short, as a form contains one for each of its criteria. */
export function markOf(review: { verdict: string; note: string | null } | null | undefined): string {
  if (!review || (!review.note && (review.verdict === "" || review.verdict === "open"))) return "";
  return hashOf(`${review.verdict} ${review.note ?? ""}`).slice(0, MARK_LENGTH);
}

/** Address of a verdict: a site by its origin, a page without the fragment, which is a position on the same page. */
function addressOf({ url, scope }: RunOf): string {
  const { origin, pathname, search } = new URL(url);
  return scope === "site" ? origin : `${origin}${pathname}${search}`;
}
