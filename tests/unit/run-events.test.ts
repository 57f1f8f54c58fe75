import { expect, test, vi } from "vitest";
import { createRunEvents } from "~/runs/events.server";

const SOON = 20;
const LATE = 10_000;

test("who waits for a run hears as soon as it is done", async () => {
  const events = createRunEvents();
  let done = false;
  const waiting = events.waitFor("a", async () => done, LATE);
  events.notify("a");
  done = true;
  events.notify("a");
  expect(await waiting).toBe(true);
});

test("a change while the database is asked is not slept through", async () => {
  const events = createRunEvents();
  let done = false;
  const isDone = async () => {
    const answer = done;
    if (!done) {
      done = true;
      events.notify("a");
    }
    return answer;
  };
  expect(await events.waitFor("a", isDone, LATE)).toBe(true);
});

test("what is done already is not waited for", async () => {
  expect(await createRunEvents().waitFor("a", async () => true, LATE)).toBe(true);
});

test("waiting ends with the time, with the request, and with an error", async () => {
  const events = createRunEvents();
  const never = vi.fn(async () => false);
  expect(await events.waitFor("a", never, SOON)).toBe(false);
  expect(await events.waitFor("a", never, LATE, AbortSignal.abort())).toBe(false);
  const request = new AbortController();
  const waiting = events.waitFor("a", never, LATE, request.signal);
  request.abort();
  expect(await waiting).toBe(false);
  await expect(events.waitFor("a", () => Promise.reject(new Error("closed")), LATE)).rejects.toThrow(
    "closed",
  );

  never.mockClear();
  events.notify("a");
  expect(never).not.toHaveBeenCalled();
});

test("news reach those who asked for them, until they leave", () => {
  const events = createRunEvents();
  const [one, two, other] = [vi.fn(), vi.fn(), vi.fn()];
  const leave = events.subscribe("a", one);
  events.subscribe("a", two);
  events.subscribe("b", other);
  events.notify("a");
  leave();
  leave();
  events.notify("a");
  expect([one, two, other].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 0]);
});
