import { expect, test } from "vitest";
import { createShares } from "~/reports/share/share.server";
import { createUsers, removeUser } from "~/accounts/user.server";
import { freshDatabase } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";

const DAY_MS = 86_400_000;

async function setUp() {
  const db = await freshDatabase();
  const clock = { time: 1_000_000 };
  return { db, clock, shares: createShares({ db, now: () => clock.time }), run: await finishedRun(db, [checkedPage()]) };
}

test("a link opens the report until it expires", async () => {
  const { clock, shares, run } = await setUp();
  const token = (await shares.create("ada", run.id, 7)) ?? "";
  expect((await shares.open(token))?.id).toBe(run.id);
  clock.time += 7 * DAY_MS - 1;
  expect((await shares.open(token))?.id).toBe(run.id);
  clock.time += 1;
  expect(await shares.open(token)).toBeUndefined();
  expect(await shares.list("ada", run.id)).toEqual([]);
});

test("a user's data export lists the links, but not their tokens", async () => {
  const { db, shares, run } = await setUp();
  const ada = await createUsers({ db }).recognise({ subject: "auth0|ada", email: "ada@example.org", emailVerified: true, name: "Ada" }, "de");
  await db.updateTable("run").set({ owner: ada.id }).execute();
  const token = (await shares.create(ada.id, run.id, 7)) ?? "";
  const taken = await createUsers({ db }).personalDataOf(ada.id);
  expect(taken.shareLinks).toEqual([{ run: run.id, createdAt: new Date(1_000_000).toISOString(), expiresAt: expect.any(String) as string }]);
  expect(JSON.stringify(taken)).not.toContain(token);
});

test("a revoked link opens nothing, and the others still work", async () => {
  const { shares, run } = await setUp();
  const [one, other] = [(await shares.create("ada", run.id, 1)) ?? "", (await shares.create("ada", run.id, 90)) ?? ""];
  const listed = await shares.list("ada", run.id);
  const short = listed.find(({ createdAt, expiresAt }) => expiresAt - createdAt === DAY_MS)?.id ?? "";
  expect(await shares.revoke("eve", run.id, short)).toBe(false);
  expect(await shares.revoke("ada", run.id, short)).toBe(true);
  expect(await shares.open(one)).toBeUndefined();
  expect((await shares.open(other))?.id).toBe(run.id);
});

test("another user's run, or a deleted one, cannot be shared", async () => {
  const { db, shares, run } = await setUp();
  expect(await shares.create("eve", run.id, 7)).toBeNull();
  const token = (await shares.create("ada", run.id, 7)) ?? "";
  await db.updateTable("run").set({ deleted_at: 1 }).where("id", "=", run.id).execute();
  expect(await shares.open(token)).toBeUndefined();
  expect(await shares.create("ada", run.id, 7)).toBeNull();
});

test("a link ends with its creator's account", async () => {
  const { db, shares, run } = await setUp();
  const token = (await shares.create("ada", run.id, 7)) ?? "";
  await db.transaction().execute((trx) => removeUser(trx, "ada"));
  expect(await shares.open(token)).toBeUndefined();
});

test("the database contains no usable link", async () => {
  const { db, shares, run } = await setUp();
  const token = (await shares.create("ada", run.id, 7)) ?? "";
  expect(JSON.stringify(await db.selectFrom("share").selectAll().execute())).not.toContain(token);
});

test("a run has a limited number of links", async () => {
  const { shares, run } = await setUp();
  const made = await Promise.all(Array.from({ length: 25 }, () => shares.create("ada", run.id, 30)));
  expect(made.filter((token) => token !== null)).toHaveLength(20);
});
