import { sql, type Kysely } from "kysely";

/** Reviews of success criteria by people, for a page or a website. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("criterion_review")
    .addColumn("owner", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("scope", "text", (column) => column.notNull().check(sql`scope in ('page', 'site')`))
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("criterion", "text", (column) => column.notNull())
    .addColumn("verdict", "text", (column) => column.notNull().check(sql`verdict in ('fulfilled', 'not_fulfilled', 'not_applicable', 'open')`))
    .addColumn("note", "text")
    .addColumn("answered_by", "text", (column) => column.notNull())
    .addColumn("answered_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("criterion_review_key", ["owner", "scope", "address", "criterion"])
    .addCheckConstraint("criterion_review_note", sql`verdict in ('fulfilled', 'not_applicable') or note is not null`)
    .modifyEnd(sql`without rowid`)
    .execute();
}
