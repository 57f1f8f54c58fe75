import { DAY_MS } from "~/platform/durations";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

export const INTERVALS = ["day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const DAYS = { day: 1, week: 7 };

/**
 * The first time after `now` that is a whole number of days, weeks or months after `anchor`. Several missed times give only
 * one run. A month without that day uses its last day, and the next month uses the original day again. All times are Unix time
 * in ms.
 * @param hour from 0, in the time zone of the displayed times, which then also defines days and months; null: the time of day of `anchor`, in UTC
 */
export function nextTime(anchor: number, every: Interval, now: number, hour: number | null = null): number {
  // Local times are calculated as if they were UTC, and converted back at the end.
  const start = hour === null ? anchor : atHour(anchor + offsetAt(anchor), hour);
  const timeOf = (count: number) => {
    const time = every === "month" ? monthsAfter(start, count) : start + count * DAYS[every] * DAY_MS;
    return hour === null ? time : fromZone(time);
  };
  // With an hour, a daily run may start on the same day.
  let count = Math.max(every === "day" && hour !== null ? 0 : 1, countBefore(anchor, every, now));
  while (timeOf(count) <= now) count += 1;
  return timeOf(count);
}

/** Lower bound for the number of whole intervals between two times. */
function countBefore(anchor: number, every: Interval, now: number): number {
  if (every !== "month") return Math.floor((now - anchor) / (DAYS[every] * DAY_MS)) - 1;
  const [from, to] = [new Date(anchor), new Date(Math.max(anchor, now))];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() - 1;
}

function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
  return date.getTime();
}

const atHour = (time: number, hour: number) => new Date(time).setUTCHours(hour, 0, 0, 0);

const zone = new Intl.DateTimeFormat("en-US", {
  ...({ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const),
  timeZone: TIME_ZONE,
  hourCycle: "h23",
});

/** Offset of the time zone from UTC, in ms. */
function offsetAt(time: number): number {
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = Object.fromEntries(
    zone.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1_000) * 1_000;
}

/** UTC time of a local time; an hour that is skipped for summer time becomes the next one. */
function fromZone(local: number): number {
  const time = local - offsetAt(local - offsetAt(local));
  return time + offsetAt(time) === local ? time : local - offsetAt(local - DAY_MS);
}
