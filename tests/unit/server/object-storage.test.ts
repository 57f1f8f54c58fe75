import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "db/schema";
import { readEnv } from "~/platform/env.server";
import { lineOf } from "~/server/checks/check.server";
import { checkObjectStore } from "~/server/checks/storage-check.server";
import { forgetStore, openObjects, requireStorageFolder } from "~/server/storage/object-storage.server";
import { startS3 } from "../../doubles/s3";
import { freshDatabase } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";
import { freshFolder } from "../../support/servers/fresh-folder";

async function open(db: Db, url: string) {
  const store = await openObjects(readEnv({ STORAGE_URL: url }), { db, log: () => {} });
  onTestFinished(() => store?.stop());
  return store;
}

test("there is no object store by default, and nothing is stored about one", async () => {
  const db = await freshDatabase();
  expect(await openObjects(readEnv({}), { db, log: () => {} })).toBeNull();
  expect(await db.selectFrom("storage_mark").selectAll().execute()).toEqual([]);
});

test("the store of another database is refused, and so is that of a copy", async () => {
  const [db, other] = [await freshDatabase(), await freshDatabase()];
  const folder = freshFolder();
  await open(db, `file:${folder}`);
  await open(db, `file:${folder}`);
  await expect(open(other, `file:${folder}`)).rejects.toThrow(/^STORAGE_URL is unusable: the folder \S+ holds the pictures of another database, .*\. If this is the right store, write [\w-]{36} into \S+\/in\/installation\/id\.$/);
  // The remedy in the error message.
  const mark = path.join(folder, "in", "installation", "id");
  writeFileSync(mark, (await other.selectFrom("storage_mark").select("mark").executeTakeFirstOrThrow()).mark);
  await open(other, `file:${folder}`);
  expect(readFileSync(mark, "utf8")).toMatch(/^[\w-]{36}$/);
  await forgetStore(other);
  await expect(open(other, `file:${folder}`)).rejects.toThrow("holds the pictures of another database");
});

test("a place without the pictures of this database is refused: its disk may not be mounted", async () => {
  const db = await freshDatabase();
  const folder = freshFolder();
  await open(db, `file:${folder}`);
  const run = await finishedRun(db, [checkedPage()]);
  await db.insertInto("stored_picture").values({ run_id: run.id, hash: "h", bytes: 1 }).execute();
  await open(db, `file:${folder}`);
  const empty = freshFolder();
  await expect(open(db, `file:${empty}`)).rejects.toThrow(/^STORAGE_URL is unusable: the folder \S+ does not hold the pictures of this database: it may not be mounted\. If this is the right store, write [\w-]{36} into \S+\/in\/installation\/id\.$/);
  expect(readdirSync(empty)).not.toContain("in");
});

test.each([["DATA_DIR itself", "."], ["a folder around it", ".."]])("%s is no place for pictures", async (_what, way) => {
  const dataDir = path.join(freshFolder(), "data");
  const env = (url: string) => readEnv({ DATA_DIR: dataDir, STORAGE_URL: url });
  expect(() => requireStorageFolder(env(`file:${path.resolve(dataDir, way)}`))).toThrow("STORAGE_URL is unusable: it must not be DATA_DIR");
  expect(() => requireStorageFolder(env(`file:${path.join(dataDir, "pictures")}`))).not.toThrow();
  expect(() => requireStorageFolder(env(`file:${dataDir}-pictures`))).not.toThrow();
});

test("several processes that start at once agree on one mark", async () => {
  const db = await freshDatabase();
  const folder = freshFolder();
  await Promise.all([1, 2, 3].map(() => open(db, `file:${folder}`)));
  expect(await db.selectFrom("storage_mark").selectAll().execute()).toHaveLength(1);
});

test("a store that cannot be used stops the start with one line, without the key", async () => {
  const db = await freshDatabase();
  await expect(open(db, "file:/dev/null/pictures")).rejects.toThrow(/^STORAGE_URL is unusable: the folder \/dev\/null\/pictures cannot be written and read \(ENOTDIR[^\n]+\)\.$/);
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  for (const [name, value] of Object.entries({ ...s3.env, AWS_SECRET_ACCESS_KEY: "not-the-key" })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const refused = open(db, s3.url);
  await expect(refused).rejects.toThrow(/^STORAGE_URL is unusable: the bucket pictures at http:\S+ cannot be written and read \(SignatureDoesNotMatch was refused\)\.$/);
});

test("the operator's check says where the store is, or what to do", async () => {
  const told = async (env: Record<string, string>) => lineOf("it", await checkObjectStore(readEnv(env))).replace(/^it +/, "").trimEnd();
  expect(await told({})).toBe("not set (STORAGE_URL: pictures are in the database)");
  const folder = freshFolder();
  expect(await told({ STORAGE_URL: `file:${folder}` })).toBe(`ok (the folder ${folder})`);
  expect(await told({ STORAGE_URL: "file:/dev/null/pictures" })).toMatch(/^failed: the folder \/dev\/null\/pictures cannot be written and read \(.+\): correct STORAGE_URL, or see/);
});
