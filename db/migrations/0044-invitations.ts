import { sql, type Kysely } from "kysely";

/** Invitations: one for each address; another mail has a new link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("invitation")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("email_key", "text", (column) => column.notNull().unique())
    .addColumn("locale", "text", (column) => column.notNull().check(sql`locale in ('de', 'en')`))
    .addColumn("invited_by", "text", (column) => column.notNull())
    .addColumn("sent_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .addColumn("used_at", "integer")
    .addColumn("user_id", "text", (column) => column.references("user.id").onDelete("cascade"))
    .execute();
  await db.schema.createIndex("invitation_user").on("invitation").column("user_id").execute();
}
