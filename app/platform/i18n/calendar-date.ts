import { HOUR_MS } from "~/platform/durations";
import { TIME_ZONE } from "./time-zone";

/** Calendar day of a time (Unix time in ms), such as `2025-06-28`. */
export function calendarDay(at: number): string {
  // Swedish dates have the format of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: TIME_ZONE }).format(at);
}

/** The last moment of a calendar day (`2025-06-28`), as Unix time in ms. */
export function endOfDay(day: string): number {
  let at = Date.parse(`${day}T23:59:59.999Z`);
  while (calendarDay(at) > day) at -= HOUR_MS;
  return at;
}

/**
 * Formats a day (`2025-06-28`) or month (`2026-11`) in words. It is a calendar date: no time zone shifts it.
 */
export function formatCalendarDate(on: string, locale: string): string {
  const isDay = on.length === 10;
  const format = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "long",
    ...(isDay ? { day: "numeric" } : {}),
    timeZone: "UTC",
  });
  return format.format(new Date(`${on}${isDay ? "" : "-01"}T00:00:00Z`));
}
