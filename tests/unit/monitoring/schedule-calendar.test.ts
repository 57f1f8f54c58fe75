import { describe, expect, test } from "vitest";
import { INTERVALS, nextTime } from "~/monitoring/schedule-calendar";
import { seeded } from "../../support/seeded";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

const at = (iso: string) => Date.parse(`${iso}T09:00:00Z`);

describe("the calendar", () => {
  test("a month without that day uses its last day, and the next month has the day again", () => {
    const anchor = at("2026-01-31");
    expect(nextTime(anchor, "month", at("2026-01-31"))).toBe(at("2026-02-28"));
    expect(nextTime(anchor, "month", at("2026-02-28"))).toBe(at("2026-03-31"));
    expect(nextTime(anchor, "month", at("2026-12-31"))).toBe(at("2027-01-31"));
  });

  test("the next time is the first one after now, even after missed ones", () => {
    const random = seeded(7);
    for (let round = 0; round < 300; round += 1) {
      const anchor = Math.floor(at("2026-01-01") + random() * 400 * DAY_MS);
      const now = Math.floor(anchor + random() * 900 * DAY_MS);
      for (const every of INTERVALS) {
        const next = nextTime(anchor, every, now);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThanOrEqual({ day: DAY_MS, week: WEEK_MS, month: 31 * DAY_MS }[every]);
        expect(new Date(next).toISOString().slice(11)).toBe(new Date(anchor).toISOString().slice(11));
      }
    }
  });
});

describe("the calendar at an hour", () => {
  const utc = (iso: string) => Date.parse(`${iso}:00Z`);

  test("stays at that hour of the clock in summer and winter", () => {
    const anchor = utc("2026-03-27T12:30");
    expect(nextTime(anchor, "day", anchor, 3)).toBe(utc("2026-03-28T02:00"));
    expect(nextTime(anchor, "day", utc("2026-03-28T02:00"), 3)).toBe(utc("2026-03-29T01:00"));
    expect(nextTime(anchor, "week", anchor, 3)).toBe(utc("2026-04-03T01:00"));
    expect(nextTime(anchor, "month", utc("2026-10-01T00:00"), 23)).toBe(utc("2026-10-27T22:00"));
  });

  test("a daily one starts on the same day if its hour is still to come", () => {
    const anchor = utc("2026-07-01T12:30");
    expect(nextTime(anchor, "day", anchor, 18)).toBe(utc("2026-07-01T16:00"));
    expect(nextTime(anchor, "day", anchor, 14)).toBe(utc("2026-07-02T12:00"));
    expect(nextTime(anchor, "week", anchor, 18)).toBe(utc("2026-07-08T16:00"));
  });

  test("the days and months are those of the clock", () => {
    // 00:30 on 1 February in Berlin.
    const anchor = utc("2026-01-31T23:30");
    expect(nextTime(anchor, "month", anchor, 0)).toBe(utc("2026-02-28T23:00"));
  });

  test("an hour that summer time leaves out comes an hour later, and only once a day", () => {
    const anchor = utc("2026-03-20T12:00");
    expect(nextTime(anchor, "day", utc("2026-03-28T12:00"), 2)).toBe(utc("2026-03-29T01:00"));
    expect(nextTime(anchor, "day", utc("2026-03-29T01:00"), 2)).toBe(utc("2026-03-30T00:00"));
  });

  test("the next time is the first one after now, even after missed ones", () => {
    const random = seeded(8);
    for (let round = 0; round < 300; round += 1) {
      const anchor = Math.floor(at("2026-01-01") + random() * 400 * DAY_MS);
      const [now, hour] = [Math.floor(anchor + random() * 900 * DAY_MS), Math.floor(random() * 24)];
      for (const every of INTERVALS) {
        const next = nextTime(anchor, every, now, hour);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThanOrEqual({ day: DAY_MS, week: 2 * WEEK_MS, month: 62 * DAY_MS }[every] + DAY_MS);
        const [day = 0, clock = 0] = new Intl.DateTimeFormat("en", { timeZone: "Europe/Berlin", day: "numeric", hour: "numeric", hourCycle: "h23" }).formatToParts(next).filter(({ type }) => type !== "literal").map(({ value }) => Number(value));
        expect(day).toBeGreaterThan(0);
        expect([hour, hour === 2 ? 3 : hour]).toContain(clock);
      }
    }
  });
});
