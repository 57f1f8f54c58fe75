import type { Db, Trx } from "db/schema";
import type { KeyboardWalk, WalkStop } from "~/scan/types";
import { storePicture } from "./evidence.server";
import { createPictureStore, NONE_STORED, type PictureStore } from "./picture-store.server";
import { sanitizeUntrustedText } from "./untrusted-text";
import { pixels, SHARE_OF_PICTURES, storedBox } from "./whole-page-picture";

const MOST_STOPS = 200;
const MOST_CLOSED = 5;
const MAX_NAME = 100;
const MAX_ROLE = 40;

/** Stored walk; its picture is read separately. */
export interface StoredWalk extends Omit<KeyboardWalk, "picture"> {
  /** Size of the picture in CSS pixels of the page; null without one, and if it cannot be read at the moment. */
  picture: { width: number; height: number } | null;
}

export type KeyboardWalks = ReturnType<typeof createKeyboardWalks>;

/** Reads the keyboard walks of a run. The caller has already found the run for its viewer. */
export function createKeyboardWalks({ db, pictures = createPictureStore({ db }) }: { db: Db; pictures?: PictureStore }) {
  return { ofPage, picture, pagesWithWalk };

  async function ofPage(runId: string, pageId: number): Promise<StoredWalk | undefined> {
    const row = await db
      .selectFrom("keyboard_walk")
      .innerJoin("page", "page.id", "keyboard_walk.page_id")
      .selectAll("keyboard_walk")
      .where("page.run_id", "=", runId)
      .where("page.id", "=", pageId)
      .executeTakeFirst();
    if (!row) return undefined;
    const { width, height } = row;
    const hasPicture = row.picture !== null && !(await pictures.isUnreachable(runId));
    return { stops: JSON.parse(row.stops) as WalkStop[], count: row.count, isWhole: row.whole === 1, picture: hasPicture ? { width, height } : null };
  }

  /** Picture of a walk (WebP); undefined if there is none, or if it cannot be read at the moment. */
  async function picture(runId: string, pageId: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const row = await db
      .selectFrom("keyboard_walk")
      .innerJoin("page", "page.id", "keyboard_walk.page_id")
      .leftJoin("picture", (join) => join.onRef("picture.run_id", "=", "page.run_id").onRef("picture.hash", "=", "keyboard_walk.picture"))
      .leftJoin("stored_picture", (join) => join.onRef("stored_picture.run_id", "=", "page.run_id").onRef("stored_picture.hash", "=", "keyboard_walk.picture"))
      .select(["picture.image", "stored_picture.hash as stored"])
      .where("page.run_id", "=", runId)
      .where("page.id", "=", pageId)
      .executeTakeFirst();
    return row && pictures.imageOf(runId, row);
  }

  /** Ids of the pages of a run that have a walk, in the order of checking. */
  async function pagesWithWalk(runId: string): Promise<number[]> {
    const rows = await db
      .selectFrom("keyboard_walk")
      .innerJoin("page", "page.id", "keyboard_walk.page_id")
      .select("page.id")
      .where("page.run_id", "=", runId)
      .orderBy("page.position")
      .execute();
    return rows.map(({ id }) => id);
  }
}

/**
 * Stores a keyboard walk; its picture only while the pictures of the run have room.
 * @returns size in bytes, with the picture
 */
export async function storeWalk(trx: Trx, { runId, pageId }: { runId: string; pageId: number }, walk: KeyboardWalk, stored = NONE_STORED): Promise<number> {
  const stops = JSON.stringify(walk.stops.slice(0, MOST_STOPS).map(storedStop));
  const { picture } = walk;
  const { hash, bytes } = picture ? await storePicture(trx, runId, picture.image, SHARE_OF_PICTURES, stored) : { hash: null, bytes: 0 };
  const facts = { count: pixels(walk.count), whole: walk.isWhole ? (1 as const) : (0 as const) };
  const size = { width: pixels(picture?.width ?? 0), height: pixels(picture?.height ?? 0) };
  await trx.insertInto("keyboard_walk").values({ page_id: pageId, stops, ...facts, picture: hash, ...size }).execute();
  return bytes + Buffer.byteLength(stops);
}

function storedStop({ name, role, box, closed }: WalkStop, index: number): WalkStop {
  return {
    ...(closed && index === 0 && { closed: closed.slice(0, MOST_CLOSED).map((each) => sanitizeUntrustedText(each, MAX_NAME)) }),
    name: sanitizeUntrustedText(name, MAX_NAME),
    role: role === null ? null : sanitizeUntrustedText(role, MAX_ROLE),
    box: box && storedBox(box),
  };
}
