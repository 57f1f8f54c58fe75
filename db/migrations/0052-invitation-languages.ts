import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** Invitations in any language: the application knows its languages, so that a new one needs no migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await db.schema.alterTable("invitation").dropConstraint("invitation_locale_check").execute();
    return;
  }
  // New table, because SQLite cannot drop a check.
  await db.schema
    .createTable("invitation_in_any_language")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("email_key", "text", (column) => column.notNull().unique())
    .addColumn("locale", "text", (column) => column.notNull())
    .addColumn("invited_by", "text", (column) => column.notNull())
    .addColumn("sent_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .addColumn("used_at", "integer")
    .addColumn("user_id", "text", (column) => column.references("user.id").onDelete("cascade"))
    .execute();
  const kept = sql.raw("id, token_hash, email, email_key, locale, invited_by, sent_at, expires_at, used_at, user_id");
  await sql`insert into invitation_in_any_language (${kept}) select ${kept} from invitation`.execute(db);
  await db.schema.dropTable("invitation").execute();
  await db.schema.alterTable("invitation_in_any_language").renameTo("invitation").execute();
  await db.schema.createIndex("invitation_user").on("invitation").column("user_id").execute();
}
