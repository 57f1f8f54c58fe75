import type { Db, Trx } from "db/schema";
import type { Category, ElementResult, FindingResult } from "~/scan/types";
import { createPictureStore, insertPictures, MOST_PICTURE_BYTES, NONE_STORED, pictureBytes, pictureHash, type PictureStore } from "./picture-store.server";

/** Media type of all stored pictures. */
export const PICTURE_TYPE = "image/webp";

/** Identifies an element of a run. */
export interface ElementKey {
  pageId: number;
  category: Category;
  ruleId: string;
  /** Position in its finding, from 0. */
  position: number;
}

export type Evidence = ReturnType<typeof createEvidence>;

/** Reads pictures of elements. The caller has already found the run for its owner. */
export function createEvidence({ db, pictures = createPictureStore({ db }) }: { db: Db; pictures?: PictureStore }) {
  return { picture, isUnreachable: pictures.isUnreachable };

  /** Picture of an element; undefined if there is none (see `hasPicture`), or if it cannot be read at the moment. */
  async function picture(runId: string, at: ElementKey): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const row = await db
      .selectFrom("page")
      .innerJoin("element", "element.page_id", "page.id")
      .innerJoin("rule", "rule.id", "element.rule_id")
      .leftJoin("picture", (join) => join.onRef("picture.run_id", "=", "page.run_id").onRef("picture.hash", "=", "element.picture"))
      .leftJoin("stored_picture", (join) => join.onRef("stored_picture.run_id", "=", "page.run_id").onRef("stored_picture.hash", "=", "element.picture"))
      .select(["picture.image", "stored_picture.hash as stored"])
      .where("page.run_id", "=", runId)
      .where("page.id", "=", at.pageId)
      .where("element.category", "=", at.category)
      .where("rule.rule_id", "=", at.ruleId)
      .where("element.position", "=", at.position)
      .executeTakeFirst();
    return row && pictures.imageOf(runId, row);
  }
}

/**
 * Stores pictures of elements while the run has room. Resolves with the hash of each element's picture, and added bytes.
 */
export async function storePictures(
  trx: Trx,
  runId: string,
  findings: FindingResult[],
  { stored = NONE_STORED, mostBytes = MOST_PICTURE_BYTES } = {},
): Promise<{ pictures: Map<ElementResult, string>; bytes: number }> {
  const hashes = new Map<ElementResult, string>();
  const images = new Map<string, Uint8Array>();
  for (const element of findings.flatMap(({ elements }) => elements)) {
    if (!element.picture) continue;
    const hash = pictureHash(element.picture);
    hashes.set(element, hash);
    images.set(hash, element.picture);
  }
  const before = await pictureBytes(trx, runId);
  if (images.size === 0 || before >= mostBytes) return { pictures: new Map(), bytes: 0 };
  // Deduplicated: repeated elements look the same on many pages.
  await insertPictures(trx, runId, images, stored);
  return { pictures: hashes, bytes: (await pictureBytes(trx, runId)) - before };
}

/**
 * Stores one picture without an element, while the run's pictures take less than a share of their room.
 * @returns its hash, null if there is no room; and added bytes
 */
export async function storePicture(trx: Trx, runId: string, image: Uint8Array, share: number, stored = NONE_STORED): Promise<{ hash: string | null; bytes: number }> {
  const before = await pictureBytes(trx, runId);
  if (before >= MOST_PICTURE_BYTES * share) return { hash: null, bytes: 0 };
  const hash = pictureHash(image);
  await insertPictures(trx, runId, new Map([[hash, image]]), stored);
  return { hash, bytes: (await pictureBytes(trx, runId)) - before };
}
