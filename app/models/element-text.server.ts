import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Trx } from "db/schema";

/** Shorter texts take less space in their element than a row of their own does. */
const SHORTEST = 150;

/** Is a text of this length stored once for all elements of a run? */
export const isShared = (text: string) => text.length >= SHORTEST;

/** Stores the missing ones of these texts. @returns ids by text, and the size of what was missing (bytes) */
export async function storeTexts(trx: Trx, runId: string, all: string[]): Promise<{ ids: Map<string, number>; bytes: number }> {
  const texts = new Map([...new Set(all.filter(isShared))].map((text) => [hashOf(text), text]));
  if (texts.size === 0) return { ids: new Map(), bytes: 0 };
  const known = await idsOf(trx, runId, [...texts.keys()]);
  const missing = [...texts].filter(([hash]) => !known.has(hash));
  if (missing.length > 0) {
    await sql`
      insert into element_text (run_id, hash, text)
      select ${runId}, value ->> 0, value ->> 1 from json_each(${JSON.stringify(missing)})`.execute(trx);
  }
  const ids = missing.length > 0 ? await idsOf(trx, runId, [...texts.keys()]) : known;
  return {
    ids: new Map([...ids].map(([hash, id]) => [texts.get(hash) ?? "", id])),
    bytes: missing.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0),
  };
}

/** By hash. */
async function idsOf(trx: Trx, runId: string, hashes: string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom("element_text")
    .select(["id", "hash"])
    .where("run_id", "=", runId)
    .where("hash", "in", sql<string>`(select value from json_each(${JSON.stringify(hashes)}))`)
    .execute();
  return new Map(rows.map(({ hash, id }) => [hash, id]));
}

/** Deletes the texts of a run that no element has any more. */
export async function deleteUnusedTexts(trx: Trx, runId: string): Promise<void> {
  await sql`
    delete from element_text where run_id = ${runId} and id not in (
      select html_text from stored_element join page on page.id = page_id where run_id = ${runId} and html_text is not null
      union
      select checks_text from stored_element join page on page.id = page_id where run_id = ${runId} and checks_text is not null
    )`.execute(trx);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);
