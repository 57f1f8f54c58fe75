import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atMostEvery } from "~/platform/async/periodic-task";

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 10) }));
afterEach(() => void vi.useRealTimers());

test("work is done again once its time has passed by the date, also after the machine slept", async () => {
  const work = vi.fn(async () => {});
  const look = atMostEvery(HOUR_MS, work);
  await look();
  await look();
  vi.setSystemTime(Date.now() + HOUR_MS - 1);
  await look();
  expect(work).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 1);
  await look();
  expect(work).toHaveBeenCalledTimes(2);
});

test("a clock that is set back by days delays it no longer than usual", async () => {
  const work = vi.fn(async () => {});
  const look = atMostEvery(HOUR_MS, work);
  await look();
  vi.setSystemTime(Date.now() - 72 * HOUR_MS);
  await look();
  await look();
  expect(work).toHaveBeenCalledTimes(2);
});

test("work that failed is done again at the next look", async () => {
  const work = vi.fn(async () => {}).mockRejectedValueOnce(new Error("locked"));
  const look = atMostEvery(HOUR_MS, work);
  await expect(look()).rejects.toThrow("locked");
  await look();
  await look();
  expect(work).toHaveBeenCalledTimes(2);
});
