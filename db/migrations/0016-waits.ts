import type { Kysely } from "kysely";

/** What a run waits for on each page before its analysis, and a schedule repeats: so many ms, and a CSS selector. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["run", "schedule"]) {
    await db.schema.alterTable(table).addColumn("wait_ms", "integer").execute();
    await db.schema.alterTable(table).addColumn("wait_for", "text").execute();
  }
}
