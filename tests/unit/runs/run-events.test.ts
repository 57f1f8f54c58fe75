import { expect, onTestFinished, test, vi } from "vitest";
import { runEventStream } from "~/runs/event-stream.server";
import { createRunEvents } from "~/runs/events.server";

const SOON = 20;
const LATE = 10_000;

test("waiting for a run ends as soon as it is finished", async () => {
  const events = createRunEvents();
  let done = false;
  const waiting = events.waitFor("a", async () => done, LATE);
  events.notify("a");
  done = true;
  events.notify("a");
  expect(await waiting).toBe(true);
});

test("a change during the database query is not missed", async () => {
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

test("waiting for a finished run ends at once", async () => {
  expect(await createRunEvents().waitFor("a", async () => true, LATE)).toBe(true);
});

test("waiting ends at the time limit, with the request, or with an error", async () => {
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

test("events reach subscribers until they unsubscribe", () => {
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

const asked = (signal = new AbortController().signal, method = "GET") => ({ method, signal });

test("a request for the headers alone opens no stream, which nobody would end", async () => {
  const subscribe = vi.fn();
  const stream = runEventStream({ ...createRunEvents(), subscribe }, "a", () => Promise.resolve(false), asked(undefined, "HEAD"));
  expect([stream.body, stream.headers.get("Content-Type")]).toEqual([null, "text/event-stream"]);
  expect(subscribe).not.toHaveBeenCalled();
});

test("a stream ends when the run cannot be read, or its reader has gone", async () => {
  const events = createRunEvents();
  const gone = new AbortController();
  const unreadable = runEventStream(events, "a", () => Promise.reject(new Error("disk I/O error")), asked(gone.signal));
  expect(await unreadable.text()).toBe("retry: 2000\ndata: changed\n\n");
  gone.abort();
  const never = vi.fn(() => Promise.resolve(false));
  expect(await runEventStream(events, "a", never, asked(AbortSignal.abort())).text()).toBe("");
  expect(never).not.toHaveBeenCalled();
});

test("proxies are told to pass events on at once", async () => {
  const stream = runEventStream(createRunEvents(), "a", () => Promise.resolve(true), asked());
  expect(await stream.text()).toBe("retry: 2000\ndata: changed\n\n");
  expect(stream.headers.get("Content-Type")).toBe("text/event-stream");
  expect(stream.headers.get("X-Accel-Buffering")).toBe("no");
  expect(stream.headers.get("Cache-Control")).toContain("no-transform");
});

test("changes are told within a second, also after the clock was set back", async () => {
  const events = createRunEvents();
  const { now } = Date;
  onTestFinished(() => void (Date.now = now));
  let looks = 0;
  const stream = runEventStream(events, "a", () => Promise.resolve((looks += 1) > 1), asked());
  Date.now = () => now() - 3_600_000;
  events.notify("a");
  expect(await stream.text()).toBe("retry: 2000\ndata: changed\n\ndata: changed\n\n");
});
