import { expect, onTestFinished, test, vi } from "vitest";
import { throttled } from "~/platform/async/throttled";

test("the first request runs at once, and those of one interval run once at its end", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const action = vi.fn<() => void>();
  const request = throttled(20, action);
  request();
  expect(action).toHaveBeenCalledTimes(1);
  for (let count = 0; count < 3; count += 1) request();
  vi.advanceTimersByTime(19);
  expect(action).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(action).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(100);
  expect(action).toHaveBeenCalledTimes(2);
  request();
  expect(action).toHaveBeenCalledTimes(3);
});
