import type { Logger } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { readEnv } from "~/platform/env.server";
import { SINGLE_PROCESS } from "~/platform/installation/installation";
import { leastFreeBytes, mostEvidenceBytes, spareBytes, watchStorage } from "~/server/storage/disk-space.server";
import { freshLocation } from "../../support/database/database";
import { madeUpDisk, type MadeUpDisk } from "../../support/database/made-up-disk";
import { newDatabase } from "../../support/database/server-database";

const MB = 1e6;
const GB = 1e9;
const DAY_MS = 86_400_000;

describe("the default sizes", () => {
  const env = readEnv({});

  test.each([20, 50, 100, 1_000])("leave room for a backup and the copy of an update, when the evidence of a disk of %i GB has grown to its limit", (size) => {
    const total = size * GB;
    const database = mostEvidenceBytes(env, total);
    const [copyOfUpdate, copyOfBackup] = [database, database];
    const everythingElse = total - database - copyOfUpdate - copyOfBackup - spareBytes(env, total);
    expect(everythingElse / total).toBeGreaterThan(0.2);
  });

  test.each([2, 20, 1_000])("let no backup on a disk of %i GB take the space without which no scan begins", (size) => {
    expect(spareBytes(env, size * GB)).toBeGreaterThan(leastFreeBytes(env, size * GB));
  });

  test("give way to settings, and leave a backup at least 50 MB", () => {
    const set = readEnv({ EVIDENCE_MAX_MB: "300", DISK_MIN_FREE_MB: "0" });
    expect([mostEvidenceBytes(set, 100 * GB), spareBytes(set, 100 * GB)]).toEqual([300 * MB, 50 * MB]);
  });
});

/** Disk watch of a server with this disk. */
async function watch(disk: MadeUpDisk, settings: Record<string, string>) {
  const location = freshLocation();
  const env = readEnv({ DATA_DIR: location.dataDir, ...settings });
  const db = await newDatabase(location);
  madeUpDisk(disk);
  const lines: string[] = [];
  const write = (_facts: unknown, line: string) => void lines.push(line);
  const storage = await watchStorage(env, { info: write, warn: write, error: write } as unknown as Logger, { db, installation: SINGLE_PROCESS });
  onTestFinished(async () => {
    await storage.stop();
    await db.destroy();
  });
  return { storage, lines };
}

test("the log warns when a copy of the database has no room", async () => {
  const { lines } = await watch({ freeBytes: 40_960, totalBytes: 100 * GB }, { DISK_MIN_FREE_MB: "0" });
  expect(lines).toEqual([expect.stringMatching(/^less free space than the database takes: backups fail/)]);
  expect((await watch({ freeBytes: 50 * GB, totalBytes: 100 * GB }, {})).lines).toEqual([]);
});

test("the operator gets a mail a day about a full disk, also after the clock was set back", async () => {
  const { storage } = await watch({ freeBytes: 0, totalBytes: 100 * GB }, { OPERATOR_EMAIL: "operator@example.org" });
  const sent: string[] = [];
  const mails = { post: (_trx: unknown, { subject }: { subject: string }) => Promise.resolve(void sent.push(subject)) };
  const { now } = Date;
  onTestFinished(() => void (Date.now = now));
  for (const [offset, count] of [[0, 1], [DAY_MS / 2, 1], [DAY_MS + 1, 2], [-2 * DAY_MS, 3], [-2 * DAY_MS + 60_000, 3]] as const) {
    Date.now = () => now() + offset;
    storage.start(mails);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent, `after ${offset} ms`).toHaveLength(count);
  }
});
