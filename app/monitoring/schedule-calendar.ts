export const INTERVALS = ["week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

const WEEK_MS = 7 * 86_400_000;

/**
 * The first time after `now` that is a whole number of weeks or months after `anchor`. Several missed times give only one
 * run. A month without that day uses its last day, and the next month uses the original day again. All times are Unix time
 * in ms; months are those of UTC.
 */
export function nextTime(anchor: number, every: Interval, now: number): number {
  if (every === "week") return anchor + WEEK_MS * Math.max(1, Math.floor((now - anchor) / WEEK_MS) + 1);
  const [from, to] = [new Date(anchor), new Date(Math.max(anchor, now))];
  const passed = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const inThisMonth = monthsAfter(anchor, passed);
  return passed > 0 && inThisMonth > now ? inThisMonth : monthsAfter(anchor, passed + 1);
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
