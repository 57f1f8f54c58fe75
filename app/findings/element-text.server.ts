import { createHash } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import { sql } from "kysely";
import { insertRows, selectRows } from "db/rows";
import type { Db, Trx } from "db/schema";

/** Storage overhead of a text (bytes): run and hash, in the table and in its index. */
export const TEXT_ROW_BYTES = 130;
/** Minimum length for sharing: shorter texts take less space inside each element. */
const SHORTEST = 150;
const TEXTS_PER_STEP = 500;

/** Stores the missing texts. @returns ids by text, and the size of the new texts (bytes) */
export async function storeTexts(trx: Trx, runId: string, all: string[]): Promise<{ ids: Map<string, number>; bytes: number }> {
  const texts = new Map([...new Set(all.filter(({ length }) => length >= SHORTEST))].map((text) => [hashOf(text), text]));
  if (texts.size === 0) return { ids: new Map(), bytes: 0 };
  const known = await idsOf(trx, runId, [...texts.keys()]);
  const missing = [...texts].filter(([hash]) => !known.has(hash));
  if (missing.length > 0) {
    const rows = missing.map(([hash, text]) => ({ run_id: runId, hash, text }));
    await insertRows(trx, "element_text", { run_id: "text", hash: "text", text: "text" }, rows);
  }
  const ids = missing.length > 0 ? await idsOf(trx, runId, [...texts.keys()]) : known;
  return {
    ids: new Map([...ids].map(([hash, id]) => [texts.get(hash) ?? "", id])),
    bytes: missing.reduce((sum, [, text]) => sum + TEXT_ROW_BYTES + Buffer.byteLength(text), 0),
  };
}

/** Ids of stored texts by hash. */
async function idsOf(trx: Trx, runId: string, hashes: string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom("element_text")
    .select(["id", "hash"])
    .where("run_id", "=", runId)
    .where("hash", "in", sql<string>`(${selectRows(trx, { hash: "text" }, hashes.map((hash) => ({ hash })))})`)
    .execute();
  return new Map(rows.map(({ hash, id }) => [hash, id]));
}

/** Deletes unused texts of a run, in small steps that let requests through. */
export async function deleteUnusedTexts(db: Db, runId: string, pages: number[]): Promise<void> {
  const used = new Set<number | null>();
  for (const page of pages) {
    const rows = await db.selectFrom("stored_element").select(["html_text", "checks_text"]).where("page_id", "=", page).execute();
    for (const { html_text, checks_text } of rows) used.add(html_text).add(checks_text);
    await breathe();
  }
  for (let after = ""; ; await breathe()) {
    const texts = await db
      .selectFrom("element_text")
      .select(["id", "hash"])
      .where("run_id", "=", runId)
      .where("hash", ">", after)
      .orderBy("hash")
      .limit(TEXTS_PER_STEP)
      .execute();
    const last = texts.at(-1);
    if (!last) return;
    after = last.hash;
    const unused = texts.filter(({ id }) => !used.has(id)).map(({ id }) => id);
    if (unused.length > 0) await db.deleteFrom("element_text").where("id", "in", unused).execute();
  }
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);
