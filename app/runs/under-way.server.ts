import type { Db } from "db/schema";
import type { Run } from "./run";

/** The newest unfinished run of a site, or of a page at this address; null if there is none. */
export async function runUnderWay(db: Db, owner: string, { url, scope }: Pick<Run, "url" | "scope">): Promise<string | null> {
  const row = await db
    .selectFrom("run")
    .select("id")
    .where("owner", "=", owner)
    .where("origin", "=", new URL(url).origin)
    .where("scope", "=", scope)
    .$if(scope === "page", (query) => query.where("url", "=", url))
    .where("status", "in", ["queued", "running"])
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row?.id ?? null;
}
