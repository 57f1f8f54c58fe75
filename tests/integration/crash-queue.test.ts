import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRuns, isOver } from "~/models/run.server";
import { createSqliteQueue } from "~/queue/sqlite-queue.server";
import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";
import { freshDatabaseFile } from "../support/database";

const KILLS = 20;
const RUNS = 10;
const CHECK_MS = 150;
const scanProcess = fileURLToPath(new URL("../support/scan-process.ts", import.meta.url));

async function start(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", scanProcess, file, String(CHECK_MS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

test(`${RUNS} runs survive ${KILLS} kills: each is finished, once`, { timeout: 120_000 }, async () => {
  const file = freshDatabaseFile();
  const db = openSqlite(file);
  onTestFinished(() => db.destroy());
  await migrate(db);
  const runs = createRuns({ db, queue: createSqliteQueue({ db }), retentionDays: 1 });

  const ids: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    // New ones all the time: each kill shall find somebody at work.
    while (ids.length < RUNS || (await unfinished()) < 3) ids.push(await order(ids.length));
    const child = await start(file);
    await delay(Math.random() * 3 * CHECK_MS);
    await kill(child);
  }
  await start(file);
  await vi.waitFor(async () => expect(await unfinished()).toBe(0), { timeout: 60_000, interval: 100 });

  async function order(index: number): Promise<string> {
    const url = `https://shop.example/${index}`;
    return (await runs.start({ url, scope: "page", standard: { version: "2.2", level: "AA" }, owner: null }))
      .id;
  }

  async function unfinished(): Promise<number> {
    const found = await Promise.all(ids.map((id) => runs.find(id, null)));
    return found.filter((run) => run && !isOver(run)).length;
  }

  const finished = await Promise.all(ids.map((id) => runs.find(id, null)));
  expect(finished.map((run) => run?.status)).toEqual(ids.map(() => "succeeded"));
  // The sums would show a result that was stored twice; the findings, one that was stored in part.
  expect(finished.map((run) => run?.stats.pages)).toEqual(ids.map(() => 1));
  const findings = await db
    .selectFrom("page")
    .innerJoin("finding", "finding.page_id", "page.id")
    .selectAll()
    .execute();
  expect(findings).toHaveLength(ids.length * 3);
  const jobs = await db.selectFrom("job").select(["state", "deaths"]).execute();
  expect(jobs.map(({ state }) => state)).toEqual(ids.map(() => "done"));
  // Else the kills have hit nothing, and the test shows nothing.
  expect(jobs.reduce((sum, { deaths }) => sum + deaths, 0)).toBeGreaterThan(KILLS / 2);
});
