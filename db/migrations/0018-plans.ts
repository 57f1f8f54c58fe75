import { sql, type Kysely } from "kysely";

const DAY_MS = 86_400_000;

/** Plan of a purchase, its limit (or none), and the end of its coverage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("purchase")
    .addColumn("plan", "text", (column) => column.notNull().defaultTo("basic").check(sql`plan in ('basic', 'pro', 'enterprise')`))
    .execute();
  await db.schema.alterTable("purchase").addColumn("unlimited", "integer", (column) => column.notNull().defaultTo(0)).execute();
  for (const column of ["paid_at", "ends_at", "limit_lowered_at", "end_mailed_at"]) {
    await db.schema.alterTable("purchase").addColumn(column, "integer").execute();
  }
  await db.schema.alterTable("invoice").addColumn("total", "integer", (column) => column.notNull().defaultTo(0)).execute();

  // Earlier versions stored the plan only as the product's name.
  for (const plan of ["enterprise", "pro", "basic"]) {
    await sql`update purchase set plan = ${plan} where lower(plan_name) like ${`%${plan}%`}`.execute(db);
  }
  // No end was announced before payment: the 30 days of existing purchases begin with this version.
  await sql`update purchase set paid_at = created_at, ends_at = ${Date.now() + 30 * DAY_MS}
    where kind = 'payment' and status = 'succeeded'`.execute(db);
}
