import type * as Timers from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHostThrottles, type HostThrottle } from "~/scan/crawl/host-throttle";

// Fake timers do not control `node:timers/promises`.
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof Timers>()),
  setTimeout: (ms: number) => new Promise<void>((resolve) => void globalThis.setTimeout(resolve, ms)),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;

/** Starts pages that end immediately; returns the waiting time of each, in ms. */
async function waits(pace: HostThrottle, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let page = 0; page < count; page += 1) {
    const asked = Date.now();
    const entering = pace.enter(signal);
    await vi.runAllTimersAsync();
    (await entering)();
    times.push(Date.now() - asked);
  }
  return times;
}

test("failures of an earlier hour are no part of a row", async () => {
  const pace = createHostThrottles().of("https://example.com/", { parallel: 1, delayMs: 0 });
  for (let failure = 0; failure < 10; failure += 1) pace.recordFailure();
  expect(pace.shouldGiveUp()).toBe(true);
  await vi.advanceTimersByTimeAsync(3_600_000);
  pace.recordFailure();
  expect(pace.shouldGiveUp()).toBe(false);
  expect(await waits(pace, 1)).toEqual([1_000]);
});

describe("a site gets no more requests than its current robots.txt allows", () => {
  test("also if robots.txt had no delay at first", async () => {
    const paces = createHostThrottles();
    expect(await waits(paces.of("https://example.com/", { parallel: 4, delayMs: 0 }), 2)).toEqual([0, 0]);
    expect(await waits(paces.of("https://example.com/", { parallel: 4, delayMs: 3_000 }), 2)).toEqual([3_000, 3_000]);
    expect(await waits(paces.of("https://example.com/", { parallel: 4, delayMs: 0 }), 2)).toEqual([0, 0]);
  });

  test("also for a page that already waits when the delay becomes known", async () => {
    const pace = createHostThrottles().of("https://example.com/", { parallel: 1, delayMs: 0 });
    const leave = await pace.enter(signal);
    const began = Date.now();
    const entering = pace.enter(signal).then(() => Date.now() - began);
    pace.adjust({ parallel: 1, delayMs: 2_000 });
    leave();
    await vi.runAllTimersAsync();
    expect(await entering).toBe(2_000);
  });

  test("and a pause requested by the site is not shortened by a smaller delay", async () => {
    const pace = createHostThrottles().of("https://example.com/", { parallel: 1, delayMs: 1_000 });
    await waits(pace, 1);
    pace.recordFailure(10_000);
    pace.adjust({ parallel: 1, delayMs: 0 });
    expect(await waits(pace, 1)).toEqual([10_000]);
  });
});
