import { sql, type Kysely } from "kysely";

/** Findings that people accept: one element, all elements of a component, or all of a rule. They end, but are not deleted individually. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("acceptance")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("owner", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("origin", "text", (column) => column.notNull())
    .addColumn("scope", "text", (column) => column.notNull().check(sql`scope in ('element', 'component', 'rule')`))
    .addColumn("rule", "text", (column) => column.notNull())
    .addColumn("path", "text")
    .addColumn("fingerprint", "text")
    .addColumn("component", "text")
    .addColumn("html", "text")
    .addColumn("kind", "text", (column) =>
      column.notNull().check(sql`kind in ('not_a_barrier', 'third_party', 'disproportionate_burden', 'will_be_fixed', 'other')`),
    )
    .addColumn("last_day", "text")
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("accepted_by", "text", (column) => column.notNull())
    .addColumn("accepted_at", "integer", (column) => column.notNull())
    .addColumn("ended_by", "text")
    .addColumn("ended_at", "integer")
    .addCheckConstraint("acceptance_element", sql`(scope = 'element') = (path is not null and fingerprint is not null)`)
    .addCheckConstraint("acceptance_component", sql`(scope = 'component') = (component is not null)`)
    .addCheckConstraint("acceptance_end", sql`kind = 'not_a_barrier' or last_day is not null`)
    .execute();
  await db.schema.createIndex("acceptance_website").on("acceptance").columns(["owner", "origin", "accepted_at"]).execute();
  await db.schema.createIndex("acceptance_active").on("acceptance").column("owner").where(sql.ref("ended_at"), "is", null).execute();
}
