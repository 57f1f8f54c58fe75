import { HOUR_MS } from "~/platform/durations";
import { TIME_ZONE } from "./time-zone";

/** Calendar date of a time (Unix time in ms), such as `2025-06-28`. */
export function calendarDay(at: number): string {
  // The Swedish date format is that of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: TIME_ZONE }).format(at);
}

/** The last moment of a calendar day (`2025-06-28`), as Unix time in ms. */
export function endOfDay(day: string): number {
  let at = Date.parse(`${day}T23:59:59.999Z`);
  while (calendarDay(at) > day) at -= HOUR_MS;
  return at;
}

/**
 * Formats a date (`2025-06-28`) or month (`2026-11`) in words. No time zone shifts it.
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
