import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db, Trx } from "db/schema";
import type { Category, ElementResult, FindingResult } from "~/scan/types";

/** Limit per run: pictures of a large site with many problems would take more than all its text. */
const MOST_BYTES = 50_000_000;

/** Media type of all stored pictures. */
export const PICTURE_TYPE = "image/webp";

/** Identifies an element of a run. */
export interface ElementKey {
  pageId: number;
  category: Category;
  ruleId: string;
  /** In its finding, from 0. */
  position: number;
}

export type Evidence = ReturnType<typeof createEvidence>;

/** Reads pictures of elements. The caller has already found the run for its owner. */
export function createEvidence({ db }: { db: Db }) {
  return { picture };

  /** The picture of an element; undefined if there is none (see `hasPicture`). */
  async function picture(runId: string, at: ElementKey): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const row = await db
      .selectFrom("page")
      .innerJoin("element", "element.page_id", "page.id")
      .innerJoin("rule", "rule.id", "element.rule_id")
      .innerJoin("picture", (join) =>
        join.onRef("picture.run_id", "=", "page.run_id").onRef("picture.hash", "=", "element.picture"),
      )
      .select("picture.image")
      .where("page.run_id", "=", runId)
      .where("page.id", "=", at.pageId)
      .where("element.category", "=", at.category)
      .where("rule.rule_id", "=", at.ruleId)
      .where("element.position", "=", at.position)
      .executeTakeFirst();
    return row && new Uint8Array(row.image);
  }
}

/** Stores pictures of elements while the run has room. Resolves with the hash of each element's picture, and added bytes. */
export async function storePictures(
  trx: Trx,
  runId: string,
  findings: FindingResult[],
  mostBytes = MOST_BYTES,
): Promise<{ pictures: Map<ElementResult, string>; bytes: number }> {
  const hashes = new Map<ElementResult, string>();
  const images = new Map<string, Uint8Array>();
  for (const element of findings.flatMap(({ elements }) => elements)) {
    if (!element.picture) continue;
    const hash = hashOf(element.picture);
    hashes.set(element, hash);
    images.set(hash, element.picture);
  }
  const before = await bytesOf(trx, runId);
  if (images.size === 0 || before >= mostBytes) return { pictures: new Map(), bytes: 0 };
  const rows = [...images].map(([hash, image]) => ({ run_id: runId, hash, image }));
  // Deduplicated: repeated elements look the same on many pages.
  await trx.insertInto("picture").values(rows).onConflict((conflict) => conflict.doNothing()).execute();
  return { pictures: hashes, bytes: (await bytesOf(trx, runId)) - before };
}

/**
 * Stores one picture that belongs to no element, while the pictures of the run take less than a share of their room.
 * @returns its hash, null if there is no room; and added bytes
 */
export async function storePicture(trx: Trx, runId: string, image: Uint8Array, share: number): Promise<{ hash: string | null; bytes: number }> {
  const before = await bytesOf(trx, runId);
  if (before >= MOST_BYTES * share) return { hash: null, bytes: 0 };
  const hash = hashOf(image);
  await trx.insertInto("picture").values({ run_id: runId, hash, image }).onConflict((conflict) => conflict.doNothing()).execute();
  return { hash, bytes: (await bytesOf(trx, runId)) - before };
}

const hashOf = (image: Uint8Array) => createHash("sha256").update(image).digest("base64url").slice(0, 22);

async function bytesOf(trx: Trx, runId: string): Promise<number> {
  const { bytes } = await trx
    .selectFrom("picture")
    .select(sql<number>`coalesce(sum(length(image)), 0)`.as("bytes"))
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  return bytes;
}
