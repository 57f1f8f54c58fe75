import { sql, type Kysely } from "kysely";

/** Runs per step, within one statement and some milliseconds. */
const RUNS_PER_STEP = 200;

/**
 * Violated rules of a run, each once, so that lists and reports have the same number. And the WCAG version that a run's
 * plan includes in full: for additions of later versions, only their number is shown. Null for existing runs, which were checked only
 * against the version of their plan.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("run").addColumn("violated_rules", "text").execute();
  await db.schema.alterTable("run").addColumn("full_version", "text").execute();
  await fillIn(db as Kysely<Tables>);
}

interface Tables {
  run: { id: string; violations: number; violated_rules: string | null };
  page: { id: number; run_id: string };
  finding: { page_id: number; rule_id: number; category: string };
  rule: { id: number; rule_id: string };
}

async function fillIn(db: Kysely<Tables>): Promise<void> {
  const runs = await db.selectFrom("run").select("id").where("violations", ">", 0).execute();
  for (let start = 0; start < runs.length; start += RUNS_PER_STEP) {
    const ids = runs.slice(start, start + RUNS_PER_STEP).map(({ id }) => id);
    const violated = await db
      .selectFrom("page")
      .innerJoin("finding", "finding.page_id", "page.id")
      .innerJoin("rule", "rule.id", "finding.rule_id")
      .select(["page.run_id", "rule.rule_id"])
      .distinct()
      .where("page.run_id", "in", ids)
      .where("finding.category", "=", sql.lit("violations"))
      .execute();
    for (const id of ids) {
      const rules = violated.filter(({ run_id }) => run_id === id).map(({ rule_id }) => rule_id);
      await db.updateTable("run").set({ violated_rules: JSON.stringify(rules) }).where("id", "=", id).execute();
    }
  }
}
