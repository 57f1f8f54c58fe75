import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "db/schema";
import { readEnv } from "~/platform/env.server";
import { lineOf } from "~/server/checks/check.server";
import { checkObjectStore } from "~/server/checks/storage-check.server";
import { openObjects } from "~/server/storage/object-storage.server";
import { startS3 } from "../../doubles/s3";
import { freshDatabase } from "../../support/database/database";
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

test("the store of another database, or of one that is empty by mistake, is refused", async () => {
  const [db, other] = [await freshDatabase(), await freshDatabase()];
  const folder = freshFolder();
  await open(db, `file:${folder}`);
  await open(db, `file:${folder}`);
  await expect(open(other, `file:${folder}`)).rejects.toThrow(/^STORAGE_URL is unusable: the folder \S+ holds the pictures of another database\. .* delete installation\/id in it\.$/);
  // As the message says.
  const mark = path.join(folder, "in", "installation", "id");
  writeFileSync(mark, (await other.selectFrom("storage_mark").select("mark").executeTakeFirstOrThrow()).mark);
  await open(other, `file:${folder}`);
  expect(readFileSync(mark, "utf8")).toMatch(/^[\w-]{36}$/);
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
