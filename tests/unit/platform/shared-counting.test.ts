import { expect, onTestFinished, test } from "vitest";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { createRateLimit, type Counting, type RateLimitOptions } from "~/platform/limits/rate-limit.server";
import { createSharedCounting, deleteExpiredCounts } from "~/platform/limits/shared-counting.server";
import { addressOf, freshDatabase } from "../../support/database/database";
import type { Db } from "db/schema";

async function countingOf(db: Db) {
  const { query, stop } = await joinInstallation({ url: addressOf(db), mayLead: false });
  onTestFinished(stop);
  const counting = createSharedCounting({
    secret: "a secret",
    query: async ({ text, values }) => {
      const rows = await query(text, values);
      return { rows, rowCount: rows.length };
    },
  });
  return { counting, stop };
}

/** Equal limits in two processes. */
const limitsOf = ([one, two]: [{ counting: Counting }, { counting: Counting }], options: RateLimitOptions) => [createRateLimit(options, one.counting), createRateLimit(options, two.counting)] as const;

test("attempts of two processes count together, and 20 at once never get more than allowed", async () => {
  const db = await freshDatabase();
  const [one, two] = [await countingOf(db), await countingOf(db)];
  const [a, b] = limitsOf([one, two], { name: "checks", points: 5, seconds: 60 });
  const attempts = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? a : b).take("192.0.2.1")));
  expect(attempts.filter(({ granted }) => granted)).toHaveLength(5);
  expect(attempts.find(({ granted }) => !granted)).toMatchObject({ limit: 5 });
  expect(await a.take("192.0.2.2")).toEqual({ granted: true });
  await b.forget("192.0.2.1");
  expect(await a.take("192.0.2.1")).toEqual({ granted: true });
});

test("limits are told apart, an attempt can be taken back, and a block that grows holds everywhere", async () => {
  const db = await freshDatabase();
  const [one, two] = [await countingOf(db), await countingOf(db)];
  const [a, b] = limitsOf([one, two], { name: "codes", points: 1, seconds: 900, grows: true });
  const other = createRateLimit({ name: "mails", points: 1, seconds: 900 }, one.counting);
  expect(await a.take("ada")).toEqual({ granted: true });
  expect(await other.take("ada")).toEqual({ granted: true });
  await b.reward("ada");
  expect(await b.take("ada")).toEqual({ granted: true });
  const refused = await a.take("ada");
  expect(refused).toMatchObject({ granted: false, limit: 1 });
  expect(await b.take("ada")).toMatchObject({ granted: false });
});

test("who is counted is stored as a keyed hash, until it counts no more", async () => {
  const db = await freshDatabase();
  const { counting } = await countingOf(db);
  await createRateLimit({ name: "checks", points: 5, seconds: 60 }, counting).take("ada@example.org");
  const stored = await db.selectFrom("rate_limit").selectAll().execute();
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({ key: expect.stringMatching(/^checks:[\w-]{43}$/) as unknown, points: 1 });
  await deleteExpiredCounts(db);
  expect(await db.selectFrom("rate_limit").selectAll().execute()).toHaveLength(1);
  await deleteExpiredCounts(db, Date.now() + 61_000);
  expect(await db.selectFrom("rate_limit").selectAll().execute()).toEqual([]);
});

test("while the database does not answer, each process counts for itself", async () => {
  const db = await freshDatabase();
  const { counting, stop } = await countingOf(db);
  const limit = createRateLimit({ name: "checks", points: 1, seconds: 60 }, counting);
  await stop();
  expect((await limit.take("ada")).granted).toBe(true);
  expect((await limit.take("ada")).granted).toBe(false);
});
