import { sql, type Kysely } from "kysely";

/** Users, sessions, links in mails, and the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createUsers(db);
  await createSessions(db);
  await createLinks(db);
  await createMails(db);
  await createEntitlements(db);
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("user")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("subject", "text", (column) => column.unique())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("email_key", "text", (column) => column.notNull())
    .addColumn("email_verified", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("password", "text")
    .addColumn("locale", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .execute();
  // Not unique for users of a hosted provider: only the subject identifies them, and two of them may have one address.
  await db.schema
    .createIndex("user_email")
    .unique()
    .on("user")
    .column("email_key")
    .where(sql.ref("subject"), "is", null)
    .execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("session")
    .addColumn("id_hash", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.references("user.id").onDelete("cascade"))
    .addColumn("tokens", "text")
    .addColumn("flash", "text")
    .addColumn("kept", "text")
    .addColumn("browser", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("seen_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema.createIndex("session_user").on("session").column("user_id").execute();
  await db.schema.createIndex("session_expiry").on("session").column("expires_at").execute();
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("account_link")
    .addColumn("token_hash", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("purpose", "text", (column) =>
      column.notNull().check(sql`purpose in ('verify', 'change_email', 'reset_password')`),
    )
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema.createIndex("account_link_user").on("account_link").column("user_id").execute();
  await db.schema.createIndex("account_link_expiry").on("account_link").column("expires_at").execute();
}

async function createMails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mail")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("sealed", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("run_at", "integer", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("given_up_at", "integer")
    .addColumn("error", "text")
    .execute();
  await db.schema.createIndex("mail_due").on("mail").column("run_at").where(sql.ref("given_up_at"), "is", null).execute();
}

async function createEntitlements(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("entitlement")
    .addColumn("user_id", "text", (column) => column.primaryKey().notNull().references("user.id").onDelete("cascade"))
    .addColumn("granted_at", "integer", (column) => column.notNull())
    .execute();
}
