import type { Kysely } from "kysely";

/** Waits before the analysis of each page, for runs and schedules: a time in ms, and a CSS selector. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["run", "schedule"]) {
    await db.schema.alterTable(table).addColumn("wait_ms", "integer").execute();
    await db.schema.alterTable(table).addColumn("wait_for", "text").execute();
  }
}
