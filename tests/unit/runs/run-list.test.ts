import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import type { RunStatus } from "db/tables/runs";
import { createRetention } from "~/runs/retention.server";
import { createRunLists, UNDO_MINUTES, type RunFilter, type RunLists } from "~/runs/list.server";
import type { Run } from "~/runs/run";
import type { Runs } from "~/runs/run.server";
import { freshDatabase } from "../../support/database/database";
import { runsOf } from "../../support/database/finished-runs";
import { WCAG22AA } from "../../support/scan/scanner";

const UNDO_MS = UNDO_MINUTES * 60_000;

let db: Db;
let time: number;
let runs: Runs;
let lists: RunLists;

beforeEach(async () => {
  db = await freshDatabase();
  time = 1_000_000;
  runs = runsOf(db, () => time);
  lists = createRunLists({ db, runs, now: () => time });
});

/** Run, a moment later than the previous one. */
async function request(url: string, { owner = "ada", status = "succeeded" }: { owner?: string; status?: RunStatus } = {}): Promise<Run> {
  time += 1_000;
  const run = await runs.start({ url, owner, scope: "page", standard: WCAG22AA });
  await db.updateTable("run").set({ status }).where("id", "=", run.id).execute();
  return run;
}

const listed = async (filter: Partial<RunFilter> = {}, owner = "ada") =>
  (await lists.list(owner, { limit: 50, ...filter })).runs.map(({ url }) => url);

describe("the list of runs", () => {
  test("is filtered by a part of the address, by status, and by both", async () => {
    for (const [url, status] of [
      ["https://shop.example/Basket", "failed"],
      ["https://shop.example/100%25_wool", "succeeded"],
      ["https://blog.example/basket", "succeeded"],
    ] as const) await request(url, { status });
    await request("https://shop.example/basket", { owner: "eve" });

    expect(await listed({ text: "BASKET" })).toEqual(["https://blog.example/basket", "https://shop.example/Basket"]);
    expect(await listed({ text: "shop", status: "succeeded" })).toEqual(["https://shop.example/100%25_wool"]);
    expect(await listed({ status: "running" })).toEqual([]);
    // The search text is no pattern.
    expect(await listed({ text: "%25_" })).toEqual(["https://shop.example/100%25_wool"]);
    expect(await listed({ text: "shop%wool" })).toEqual([]);
    expect(await listed({ text: "shop?wool" })).toEqual([]);
  });

  test.each(["müller", "MÜLLER.example", "müller.example/über", "über uns", "xn--mller"])("finds an internationalised host name as people write it: %s", async (text) => {
    const { href } = new URL("https://müller.example/über uns");
    await request(href);
    await request("https://shop.example/");
    expect(await listed({ text })).toEqual([href]);
  });

  test("continues where a part ended, with the same filter, even if new runs were added", async () => {
    for (let index = 0; index < 5; index += 1) {
      await request(`https://shop.example/${index}`);
      await request(`https://blog.example/${index}`);
    }
    const first = await lists.list("ada", { text: "shop", limit: 2 });
    await request("https://shop.example/new");
    const second = await lists.list("ada", { text: "shop", limit: 2, before: first.next });
    const third = await lists.list("ada", { text: "shop", limit: 2, before: second.next });
    const seen = [first, second, third].flatMap((part) => part.runs.map(({ url }) => url.slice(-1)));
    expect(seen).toEqual(["4", "3", "2", "1", "0"]);
    expect(third.next).toBeNull();
  });

  test("begins with the newest run if the cursor in the address is invalid", async () => {
    await request("https://shop.example/");
    for (const before of ["", "x", "1.", ".a", "9".repeat(40), "1000.a' or 1=1 --"]) expect(await listed({ before }), before).toHaveLength(1);
  });
});

describe("a deleted run", () => {
  test("disappears everywhere at once, and the others stay", async () => {
    const [one, other] = [await request("https://one.example/"), await request("https://other.example/")];
    expect(await lists.remove("ada", [one.id])).toBe(1);
    expect(await listed()).toEqual(["https://other.example/"]);
    expect(await lists.byIds("ada", [one.id, other.id])).toMatchObject([{ id: other.id }]);
    expect([await runs.ofOwner(one.id, "ada"), await runs.find(one.id, "ada")]).toEqual([undefined, undefined]);
    expect(await lists.remove("ada", [one.id])).toBe(0);
  });

  test("can be restored with all its data within ten minutes", async () => {
    const ids = [await request("https://a.example/"), await request("https://b.example/")].map(({ id }) => id);
    const kept = await request("https://c.example/");
    await lists.remove("ada", [...ids, ...ids]);
    time += UNDO_MS - 1;
    const removal = await lists.latestRemoval("ada");
    expect(removal).toEqual({ at: time - UNDO_MS + 1, count: 2 });
    expect(await lists.restore("ada", removal?.at ?? 0)).toBe(2);
    expect(await listed()).toEqual(["https://c.example/", "https://b.example/", "https://a.example/"]);
    expect(await lists.latestRemoval("ada")).toBeNull();
    expect((await runs.ofOwner(kept.id, "ada"))?.id).toBe(kept.id);
  });

  test("cannot be restored after ten minutes", async () => {
    const { id } = await request("https://a.example/");
    await lists.remove("ada", [id]);
    const at = time;
    time += UNDO_MS;
    expect(await lists.latestRemoval("ada")).toBeNull();
    expect(await lists.restore("ada", at)).toBe(0);
    expect(await listed()).toEqual([]);
  });

  test("is offered for restoring, the last deletion first", async () => {
    const [one, two] = [await request("https://a.example/"), await request("https://b.example/")];
    await lists.remove("ada", [one.id]);
    time += 5_000;
    await lists.remove("ada", [two.id]);
    const last = await lists.latestRemoval("ada");
    expect(await lists.restore("ada", last?.at ?? 0)).toBe(1);
    expect(await listed()).toEqual(["https://b.example/"]);
    expect((await lists.latestRemoval("ada"))?.count).toBe(1);
  });

  test("is never another user's", async () => {
    const [mine, hers] = [await request("https://a.example/"), await request("https://b.example/", { owner: "eve" })];
    expect(await lists.byIds("ada", [mine.id, hers.id])).toMatchObject([{ id: mine.id }]);
    expect(await lists.remove("ada", [hers.id])).toBe(0);
    expect(await listed({}, "eve")).toHaveLength(1);
    await lists.remove("eve", [hers.id]);
    expect(await lists.latestRemoval("ada")).toBeNull();
    expect(await lists.restore("ada", time)).toBe(0);
    expect(await listed({}, "eve")).toEqual([]);
  });

  test("stops if it was running, and is restored as canceled", async () => {
    const [waiting, running] = [await request("https://a.example/", { status: "queued" }), await request("https://b.example/", { status: "running" })];
    const hers = await request("https://c.example/", { owner: "eve", status: "running" });
    await lists.remove("ada", [waiting.id, running.id, hers.id]);
    await lists.restore("ada", time);
    expect((await lists.list("ada", { limit: 9 })).runs.map(({ status }) => status)).toEqual(["canceled", "canceled"]);
    expect((await runs.ofOwner(hers.id, "eve"))?.status).toBe("running");
  });

  test("is finally deleted when it can no longer be restored, not before", async () => {
    const [thrown, kept] = [await request("https://a.example/"), await request("https://b.example/")];
    await lists.remove("ada", [thrown.id]);
    const retention = createRetention({ db });
    expect(await retention.deleteExpired(time + UNDO_MS - 1)).toBe(0);
    expect(await retention.deleteExpired(time + UNDO_MS)).toBe(1);
    expect(await db.selectFrom("run").select("id").execute()).toEqual([{ id: kept.id }]);
    expect(await db.selectFrom("page").select("run_id").execute()).toEqual([{ run_id: kept.id }]);
  });
});
