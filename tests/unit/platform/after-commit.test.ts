import { expect, test, vi } from "vitest";
import { afterCommit } from "db/after-commit";
import type { Trx } from "db/schema";
import { freshDatabase } from "../../support/database/database";
import { run } from "../../support/database/job-queue";

const addRun = (trx: Trx, id: string) => trx.insertInto("run").values(run(id)).execute();

test("a listener is called once after the commit, also if several statements have it, and sees what was written", async () => {
  const db = await freshDatabase();
  const listener = vi.fn<() => void>();
  await db.transaction().execute(async (trx) => {
    await addRun(afterCommit(trx, listener), "a");
    await addRun(afterCommit(trx, listener), "b");
    expect(listener).not.toHaveBeenCalled();
  });
  expect(listener).toHaveBeenCalledTimes(1);
  const found = new Promise((resolve) => {
    const read = () => resolve(db.selectFrom("run").select("id").orderBy("id").execute());
    void db.transaction().execute((trx) => addRun(afterCommit(trx, read), "c"));
  });
  expect(await found).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
});

test("a listener is never called after a rollback, nor by the next transaction", async () => {
  const db = await freshDatabase();
  const listener = vi.fn<() => void>();
  const undone = db.transaction().execute(async (trx) => {
    await addRun(afterCommit(trx, listener), "a");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await db.transaction().execute((trx) => addRun(trx, "b"));
  expect(listener).not.toHaveBeenCalled();
});
