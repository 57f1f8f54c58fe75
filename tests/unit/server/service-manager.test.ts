import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { connectServiceManager } from "~/server/process/service-manager.server";

/** Calls of the stand-in for systemd-notify, one line each, and the log. */
function unit({ watchdogMs = 0, program = `echo "$NOTIFY_SOCKET $*"` } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-notify-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const told = path.join(folder, "told");
  if (program) writeFileSync(path.join(folder, "systemd-notify"), `#!/bin/sh\n${program} >>${told}\n`, { mode: 0o755 });
  const warnings: unknown[] = [];
  const ofSystemd = { NOTIFY_SOCKET: "/run/notify", WATCHDOG_USEC: String(watchdogMs * 1_000), WATCHDOG_PID: "1" };
  const environment: Record<string, string | undefined> = { PATH: folder, ...ofSystemd };
  const manager = connectServiceManager(environment, { warn: (...words: unknown[]) => void warnings.push(words) });
  onTestFinished(() => manager.stopping());
  return { manager, environment, warnings, told: () => (existsSync(told) ? readFileSync(told, "utf8").trim().split("\n") : []) };
}

const works = () => Promise.resolve();

test("the service manager learns that the server is ready and that it stops, in this order", async () => {
  const { manager, told, warnings } = unit();
  manager.ready("Ready at http://localhost:3000", works);
  void manager.stopping();
  await expect.poll(told).toEqual(["/run/notify READY=1 STATUS=Ready at http://localhost:3000", "/run/notify STOPPING=1"]);
  expect(warnings).toEqual([]);
});

test("the watchdog gets several signs of life within its time, until the server stops", async () => {
  const { manager, told } = unit({ watchdogMs: 300 });
  manager.ready("", works);
  await expect.poll(() => told().filter((line) => line.endsWith("WATCHDOG=1")).length).toBeGreaterThan(2);
  void manager.stopping();
  await expect.poll(() => told().at(-1)).toBe("/run/notify STOPPING=1");
  await delay(300);
  expect(told().at(-1)).toBe("/run/notify STOPPING=1");
});

test.each([
  ["fails", () => Promise.reject(new Error("the database is gone"))],
  ["does not end", () => new Promise(() => {})],
])("no sign of life is sent while the probe %s", async (_what, probe) => {
  const { manager, told } = unit({ watchdogMs: 60 });
  manager.ready("", probe);
  await expect.poll(() => told().length).toBe(1);
  await delay(200);
  expect(told()).toHaveLength(1);
});

test("browsers and other child processes do not get the variables of the service manager", () => {
  expect(Object.keys(unit().environment)).toEqual(["PATH"]);
});

test("without a service manager, no program is started", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-notify-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  writeFileSync(path.join(folder, "systemd-notify"), `#!/bin/sh\n>${folder}/started\n`, { mode: 0o755 });
  const manager = connectServiceManager({ PATH: folder, WATCHDOG_USEC: "30000" }, { warn: () => {} });
  manager.ready("", works);
  void manager.stopping();
  await delay(200);
  expect(existsSync(path.join(folder, "started"))).toBe(false);
});

test.each([
  ["is missing", ""],
  ["fails", "exit 1"],
])("one warning if the program that speaks to the service manager %s", async (_what, program) => {
  const { manager, warnings } = unit({ program });
  manager.ready("", works);
  void manager.stopping();
  await expect.poll(() => warnings.length).toBe(1);
  await delay(100);
  expect(warnings).toHaveLength(1);
  expect(JSON.stringify(warnings)).toContain("NOTIFY_SOCKET");
});
