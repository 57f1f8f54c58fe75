import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db, Trx } from "db/schema";
import { lazyAsync } from "~/platform/async/lazy-async";
import type { ObjectKey } from "~/platform/objects/object-store";
import type { WatchedStore } from "~/platform/objects/watched-store";
import type { PageResult } from "~/scan/types";

/** Limit for pictures per run (bytes): those of a large site with many problems would take more space than all its text. */
export const MOST_PICTURE_BYTES = 50_000_000;
const PUT_AT_ONCE = 8;

/** Hashes of a run's pictures in the object store. */
export type StoredHashes = ReadonlySet<string>;

export const NONE_STORED: StoredHashes = new Set();

/** Picture as in the rows of both tables. */
export interface PictureRow {
  image: Uint8Array | null;
  /** Hash if the image is in the object store; otherwise null. */
  stored: string | null;
}

export type PictureStore = ReturnType<typeof createPictureStore>;

interface PictureStoreOptions {
  db: Db;
  /** Null: pictures are stored only in the database. */
  objects?: Pick<WatchedStore, "put" | "get" | "isReadable"> | null;
}

/** Storage of pictures: in the database, or in an object store, if there is one. */
export function createPictureStore({ db, objects = null }: PictureStoreOptions) {
  /** Whether any picture is in an object store that is no longer configured. */
  const hasStored = lazyAsync(async () => (await db.selectFrom("stored_picture").select("hash").limit(1).executeTakeFirst()) !== undefined);
  return { put, imageOf, isUnreachable };

  /**
   * Puts the pictures of a page into the object store, before the page's transaction, which must not wait for another server. Pictures
   * that cannot be put are stored in the database.
   * @returns hashes of the pictures in the object store
   */
  async function put(runId: string, result: PageResult): Promise<StoredHashes> {
    const images = objects && result.status === "succeeded" ? imagesOf(result) : new Map<string, Uint8Array>();
    if (!objects || images.size === 0) return NONE_STORED;
    // Errors are ignored here: the transaction that stores the page waits for the database.
    const { isFull, here, stored } = await known(runId, [...images.keys()]).catch(() => ({ isFull: false, here: NONE_STORED, stored: NONE_STORED }));
    if (isFull) return NONE_STORED;
    const all = new Set(stored);
    const missing = [...images].filter(([hash]) => !here.has(hash) && !stored.has(hash));
    for (let start = 0; start < missing.length; start += PUT_AT_ONCE) {
      const step = missing.slice(start, start + PUT_AT_ONCE).map(async ([hash, image]) => {
        await objects.put(pictureKey(runId, hash), image);
        all.add(hash);
      });
      // The store logs its own failures.
      await Promise.allSettled(step);
    }
    return all;
  }

  async function known(runId: string, hashes: string[]): Promise<{ isFull: boolean; here: StoredHashes; stored: StoredHashes }> {
    const of = (table: "picture" | "stored_picture") => db.selectFrom(table).select("hash").where("run_id", "=", runId).where("hash", "in", hashes).execute();
    const [bytes, here, stored] = [await pictureBytes(db, runId), await of("picture"), await of("stored_picture")];
    return { isFull: bytes >= MOST_PICTURE_BYTES, here: new Set(here.map(({ hash }) => hash)), stored: new Set(stored.map(({ hash }) => hash)) };
  }

  /** Image of a picture; undefined also if the object store does not answer, or is no longer configured. */
  async function imageOf(runId: string, { image, stored }: PictureRow): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (image) return new Uint8Array(image);
    if (stored === null || !objects) return undefined;
    return (await objects.get(pictureKey(runId, stored)).catch(() => null)) ?? undefined;
  }

  /** Whether the run has pictures that cannot be shown at the moment. */
  async function isUnreachable(runId: string): Promise<boolean> {
    if (objects ? objects.isReadable() : !(await hasStored())) return false;
    return (await db.selectFrom("stored_picture").select("hash").where("run_id", "=", runId).limit(1).executeTakeFirst()) !== undefined;
  }
}

/** Stores the pictures that the run does not have yet. */
export async function insertPictures(trx: Trx, runId: string, images: Map<string, Uint8Array>, stored: StoredHashes): Promise<void> {
  const rows = [...images].map(([hash, image]) => ({ run_id: runId, hash, image }));
  const here = rows.filter(({ hash }) => !stored.has(hash));
  const elsewhere = rows.filter(({ hash }) => stored.has(hash)).map(({ image, ...row }) => ({ ...row, bytes: image.length }));
  if (here.length > 0) await trx.insertInto("picture").values(here).onConflict((conflict) => conflict.doNothing()).execute();
  if (elsewhere.length > 0) await trx.insertInto("stored_picture").values(elsewhere).onConflict((conflict) => conflict.doNothing()).execute();
}

/** Size of all pictures of a run. */
export async function pictureBytes(db: Db | Trx, runId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select sum(length(image)) from picture where run_id = ${runId}), 0)
      + coalesce((select sum(bytes) from stored_picture where run_id = ${runId}), 0) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

export const pictureHash = (image: Uint8Array): string => createHash("sha256").update(image).digest("base64url").slice(0, 22);

/** Key of a picture in the object store. */
export const pictureKey = (runId: string, hash: string): ObjectKey => `${runId}/${hash}.webp`;

function imagesOf({ findings, walk, picture }: Extract<PageResult, { status: "succeeded" }>): Map<string, Uint8Array> {
  const elements = [...findings.violations, ...findings.incomplete].flatMap((finding) => finding.elements);
  const images = [...elements.map((element) => element.picture), walk?.picture?.image, picture?.image];
  return new Map(images.flatMap((image) => (image ? [[pictureHash(image), image] as const] : [])));
}
