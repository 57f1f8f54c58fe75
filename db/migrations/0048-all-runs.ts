import { sql, type Kysely } from "kysely";

/** Indexes for the list of all accounts' scans, newest first and by status, without table reads. For SQLite, with the column of their condition. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const lists = { run_all: ["created_at desc", "id desc", "url", "deleted_at"], run_status: ["status", "created_at desc", "id desc", "url", "finished_at", "deleted_at"] };
  for (const [name, columns] of Object.entries(lists)) {
    await db.schema.createIndex(name).on("run").columns(columns).where(sql.ref("deleted_at"), "is", null).execute();
  }
}
