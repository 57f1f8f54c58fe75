import type * as Timers from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHostThrottles, type HostThrottle } from "~/scan/crawl/host-throttle";

// The pauses of Node's module are none of those that can be put forward.
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof Timers>()),
  setTimeout: (ms: number) => new Promise<void>((resolve) => void globalThis.setTimeout(resolve, ms)),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;

/** Begins pages, each of which is over at once; answers with how long each had to wait. */
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

describe("a site is asked no faster than its robots.txt says now", () => {
  test("also where it said nothing when it was asked for the first time", async () => {
    const paces = createHostThrottles();
    expect(await waits(paces.of("https://example.com/", { parallel: 4, delayMs: 0 }), 2)).toEqual([0, 0]);
    expect(await waits(paces.of("https://example.com/", { parallel: 4, delayMs: 3_000 }), 2)).toEqual([3_000, 3_000]);
    expect(await waits(paces.of("https://example.com/", { parallel: 4, delayMs: 0 }), 2)).toEqual([0, 0]);
  });

  test("also for who waits already when it turns out", async () => {
    const pace = createHostThrottles().of("https://example.com/", { parallel: 1, delayMs: 0 });
    const leave = await pace.enter(signal);
    const began = Date.now();
    const entering = pace.enter(signal).then(() => Date.now() - began);
    pace.adjust({ parallel: 1, delayMs: 2_000 });
    leave();
    await vi.runAllTimersAsync();
    expect(await entering).toBe(2_000);
  });

  test("and a rest that it has asked for is not cut short by that", async () => {
    const pace = createHostThrottles().of("https://example.com/", { parallel: 1, delayMs: 1_000 });
    await waits(pace, 1);
    pace.recordFailure(10_000);
    pace.adjust({ parallel: 1, delayMs: 0 });
    expect(await waits(pace, 1)).toEqual([10_000]);
  });
});
