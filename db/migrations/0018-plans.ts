import { sql, type Kysely } from "kysely";

const DAY_MS = 86_400_000;

/** Which plan a purchase is of, that it may have no limit, and until when it covers anything. */
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

  // The product's name told the plan until now.
  for (const plan of ["enterprise", "pro", "basic"]) {
    await sql`update purchase set plan = ${plan} where lower(plan_name) like ${`%${plan}%`}`.execute(db);
  }
  // Nobody was told of an end when they paid: their 30 days begin with this version.
  await sql`update purchase set paid_at = created_at, ends_at = ${Date.now() + 30 * DAY_MS}
    where kind = 'payment' and status = 'succeeded'`.execute(db);
}
