import type { Db, Trx } from "db/schema";
import type { Box, CheckedPage, FindingResult } from "~/scan/types";
import { storePicture } from "./evidence.server";
import { createPictureStore, NONE_STORED, type PictureStore } from "./picture-store.server";
import { pixels, SHARE_OF_PICTURES, storedBox } from "./whole-page-picture";

const MOST_MARKS = 100;

/** Location of a violation in a picture of its page. */
interface Mark {
  ruleId: string;
  /** Position of the element in its finding. */
  position: number;
  box: Box;
}

export interface PagePicture {
  pageId: number;
  /** Size in CSS pixels of the page. */
  width: number;
  height: number;
  marks: Mark[];
}

export type PagePictures = ReturnType<typeof createPagePictures>;

/** Reads pictures of whole pages. The caller has already found the run for its viewer. */
export function createPagePictures({ db, pictures = createPictureStore({ db }) }: { db: Db; pictures?: PictureStore }) {
  return { first, image };

  /** Picture of the first page of a run that has one; undefined also if pictures cannot be read at the moment. */
  async function first(runId: string): Promise<PagePicture | undefined> {
    const row = await db
      .selectFrom("page_picture")
      .innerJoin("page", "page.id", "page_picture.page_id")
      .selectAll("page_picture")
      .where("page.run_id", "=", runId)
      .orderBy("page.position")
      .limit(1)
      .executeTakeFirst();
    if (!row || (await pictures.isUnreachable(runId))) return undefined;
    return { pageId: row.page_id, width: row.width, height: row.height, marks: JSON.parse(row.marks) as Mark[] };
  }

  /** Picture of a page (WebP); undefined if there is none, or if it cannot be read at the moment. */
  async function image(runId: string, pageId: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const row = await db
      .selectFrom("page_picture")
      .innerJoin("page", "page.id", "page_picture.page_id")
      .leftJoin("picture", (join) => join.onRef("picture.run_id", "=", "page.run_id").onRef("picture.hash", "=", "page_picture.picture"))
      .leftJoin("stored_picture", (join) => join.onRef("stored_picture.run_id", "=", "page.run_id").onRef("stored_picture.hash", "=", "page_picture.picture"))
      .select(["picture.image", "stored_picture.hash as stored"])
      .where("page.run_id", "=", runId)
      .where("page.id", "=", pageId)
      .executeTakeFirst();
    return row && pictures.imageOf(runId, row);
  }
}

/**
 * Stores the picture of a page with its marks, while the pictures of the run have room.
 * @param violations stored violations of the page
 * @returns size in bytes
 */
export async function storePagePicture(
  trx: Trx,
  { runId, pageId }: { runId: string; pageId: number },
  { image, width, height }: NonNullable<CheckedPage["picture"]>,
  violations: FindingResult[],
  stored = NONE_STORED,
): Promise<number> {
  const { hash, bytes } = await storePicture(trx, runId, image, SHARE_OF_PICTURES, stored);
  if (hash === null) return 0;
  const all = violations.flatMap(({ ruleId, elements }) => elements.flatMap(({ box }, position): Mark[] => (box ? [{ ruleId, position, box: storedBox(box) }] : [])));
  const marks = JSON.stringify(all.slice(0, MOST_MARKS));
  await trx.insertInto("page_picture").values({ page_id: pageId, picture: hash, width: pixels(width), height: pixels(height), marks }).execute();
  return bytes + Buffer.byteLength(marks);
}
